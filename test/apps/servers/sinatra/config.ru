require './app'
run Notes
