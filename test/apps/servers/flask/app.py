import sqlite3

from flask import Flask, g, redirect, render_template, request

app = Flask(__name__)


def database():
    if "database" not in g:
        g.database = sqlite3.connect("notes.db")
        g.database.execute("create table if not exists note (id integer primary key, text text)")
    return g.database


@app.get("/")
def index():
    notes = database().execute("select id, text from note order by id").fetchall()
    return render_template("notes.html", notes=notes)


@app.post("/add")
def add():
    database().execute("insert into note (text) values (?)", [request.form["text"]])
    database().commit()
    return redirect("/")


@app.post("/remove")
def remove():
    database().execute("delete from note where id = ?", [request.form["id"]])
    database().commit()
    return redirect("/")
