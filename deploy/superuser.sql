-- What a superuser does once on a PostgreSQL server of its own, so that Cairn never needs one:
-- the application's role, its extensions and its database. May be run again.
--
--   psql --username postgres --dbname postgres -v password="$CAIRN_DATABASE_PASSWORD" -f deploy/superuser.sql
--
-- The role is neither superuser nor exempt from row-level security: for such a role the net that
-- keeps tenants apart would not exist. The embedded database does the same in
-- config/embedded_database/bootstrap.py; a test compares the two.
\set ON_ERROR_STOP on

SELECT 'CREATE ROLE cairn' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'cairn')
\gexec
ALTER ROLE cairn LOGIN CREATEDB NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOREPLICATION
    PASSWORD :'password';

-- In template1 too: a restored or a test database is a copy of it, and the role may not create them.
\connect template1
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS ltree;
CREATE EXTENSION IF NOT EXISTS unaccent;

\connect postgres
SELECT 'CREATE DATABASE cairn OWNER cairn'
    WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'cairn')
\gexec

\connect cairn
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS ltree;
CREATE EXTENSION IF NOT EXISTS unaccent;
