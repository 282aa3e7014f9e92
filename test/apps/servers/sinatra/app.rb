require 'sinatra/base'

# Notes in memory.
class Notes < Sinatra::Base
  set :notes, []

  get '/' do
    @notes = settings.notes
    erb :notes
  end

  post '/add' do
    settings.notes.push params[:text]
    redirect '/'
  end

  post '/remove' do
    settings.notes.delete params[:text]
    redirect '/'
  end
end
