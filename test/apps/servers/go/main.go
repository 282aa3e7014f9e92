package main

import (
	_ "embed"
	"html/template"
	"log"
	"net/http"
	"os"
	"strconv"
)

//go:embed notes.html
var source string

var page = template.Must(template.New("notes").Parse(source))
var notes []string

func main() {
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		page.Execute(response, notes)
	})
	http.HandleFunc("/add", func(response http.ResponseWriter, request *http.Request) {
		notes = append(notes, request.FormValue("text"))
		http.Redirect(response, request, "/", http.StatusSeeOther)
	})
	http.HandleFunc("/remove", func(response http.ResponseWriter, request *http.Request) {
		index, _ := strconv.Atoi(request.FormValue("index"))
		notes = append(notes[:index], notes[index+1:]...)
		http.Redirect(response, request, "/", http.StatusSeeOther)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
