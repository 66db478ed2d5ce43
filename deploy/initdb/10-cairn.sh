#!/bin/sh
# Run once by the database image, as its superuser, when the volume is new.
set -eu
psql --username "$POSTGRES_USER" --dbname postgres \
  -v password="$CAIRN_DATABASE_PASSWORD" --file /deploy/superuser.sql
