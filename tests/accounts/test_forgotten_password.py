"""The page for a forgotten password, with and without a mail server."""

from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.views.password_reset import WRITES_TO_THE_LOG
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


def test_the_link_is_mailed(client: Client) -> None:
    user = make_user("anna@example.com")
    user.set_password(PASSWORD)
    user.save()
    page = reverse("account_reset_password")
    assert "Send the link" in client.get(page).content.decode()
    assert client.post(page, {"email": "anna@example.com"}).status_code == 302
    assert [message.to for message in mail.outbox] == [["anna@example.com"]]


@pytest.mark.parametrize("method", ["get", "post"])
def test_without_a_mail_server_nothing_is_promised(
    method: str, client: Client, settings: Any
) -> None:
    settings.EMAIL_BACKEND = WRITES_TO_THE_LOG
    page = reverse("account_reset_password")
    response = getattr(client, method)(page, {"email": "anna@example.com"})
    assert response.status_code == 200
    html = response.content.decode()
    assert "This server sends no mail" in html
    assert "<form class=" not in html
