from django.shortcuts import redirect, render

from .models import Note


def index(request):
    return render(request, "notes.html", {"notes": Note.objects.order_by("id")})


def add(request):
    Note.objects.create(text=request.POST["text"])
    return redirect("/")


def remove(request):
    Note.objects.filter(id=request.POST["id"]).delete()
    return redirect("/")
