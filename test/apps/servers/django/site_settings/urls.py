from django.urls import path
from notes import views

urlpatterns = [path("", views.index), path("add", views.add), path("remove", views.remove)]
