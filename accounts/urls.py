from django.urls import path

from accounts.views.home import home

urlpatterns = [path("", home, name="home")]
