"""Pages below `/t/<tenant_slug>/`."""

from django.urls import path

from retrieval.views import citations, conversations, experience, feedback, presets, runs

urlpatterns = [
    path("<str:base_slug>/ask/", conversations.ask, name="ask"),
    path("<str:base_slug>/settings/preset/", presets.base_preset, name="base_preset"),
    path(
        "<str:base_slug>/settings/experience/", experience.base_experience, name="base_experience"
    ),
    path("conversations/", conversations.conversations, name="conversations"),
    path("conversations/<int:conversation_id>/", conversations.conversation, name="conversation"),
    path(
        "conversations/<int:conversation_id>/delete/",
        conversations.conversation_remove,
        name="conversation_delete",
    ),
    path("runs/<int:run_id>/stream/", runs.run_events, name="run_stream"),
    path("runs/<int:run_id>/stop/", runs.run_halt, name="run_stop"),
    path("runs/<int:run_id>/feedback/", feedback.run_feedback, name="run_feedback"),
    path("runs/<int:run_id>/citations/<int:number>/", citations.citation, name="citation"),
]
