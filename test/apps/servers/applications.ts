// The applications as data. Those of Debian's packages have their files in a folder beside this file, those of npm in one above it.

import { inCopy, unpackDokuWiki, type Place } from './place.ts'
import type { Agent } from '../beside/agent.ts'
import { place } from '../place.ts'

export interface Application {
  readonly name: string
  readonly command: string
  place(): Promise<Place>
  /** A task that leaves the application as it was. */
  perform(agent: Agent, url: string): Promise<unknown>
  /** What the answers must say of it. */
  readonly told: RegExp
  /** An edit that the test of the task must notice. */
  readonly bug: { readonly file: string; readonly from: string; readonly to: string }
}

const withPackages = (name: string) => async (): Promise<Place> => ({
  folder: await place(name),
  [Symbol.asyncDispose]: async () => {},
})

const NOTES = {
  async perform(agent: Agent, url: string) {
    await agent.open(url)
    await agent.enter(/textbox "Note"/, 'Milk')
    await agent.click(/button "Add"/)
    await agent.click(/button "Remove"/)
  },
  told: /0 in the list/,
}

export const applications: readonly Application[] = [
  {
    ...NOTES,
    name: 'Sinatra on Puma',
    command: 'puma -p $PORT',
    place: inCopy('sinatra'),
    bug: { file: 'app.rb', from: 'settings.notes.delete params[:text]', to: 'params[:text]' },
  },
  {
    ...NOTES,
    name: 'Django',
    command: '/usr/bin/python3 manage.py migrate && /usr/bin/python3 manage.py runserver $PORT',
    place: inCopy('django'),
    bug: { file: 'notes/views.py', from: 'text=request.POST["text"]', to: 'text=request.POST["text"][1:]' },
  },
  {
    ...NOTES,
    name: 'Flask',
    command: '/usr/bin/python3 -m flask run -p $PORT',
    place: inCopy('flask'),
    bug: { file: 'templates/notes.html', from: '{{ notes|length }}', to: '{{ notes|length + 1 }}' },
  },
  {
    ...NOTES,
    name: 'Flask on gunicorn',
    command: 'gunicorn --workers 2 app:app',
    place: inCopy('flask'),
    bug: { file: 'app.py', from: 'return redirect("/")', to: 'return "saved"' },
  },
  {
    ...NOTES,
    name: 'PHP',
    command: 'php -S 127.0.0.1:$PORT',
    place: inCopy('php'),
    bug: { file: 'index.php', from: "$_POST['text']", to: "strrev($_POST['text'])" },
  },
  {
    ...NOTES,
    name: 'Go',
    command: 'go run .',
    place: inCopy('go'),
    bug: { file: 'main.go', from: 'notes[index+1:]...', to: 'notes[index:]...' },
  },
  {
    name: 'Hugo',
    command: 'hugo server -p $PORT',
    place: inCopy('hugo'),
    async perform(agent, url) {
      await agent.open(url)
      await agent.click(/link "News"/)
      await agent.click(/link "The harvest"/)
      await agent.wait('5 words')
    },
    told: /5 words/,
    bug: { file: 'content/news/harvest.md', from: 'good', to: 'very good' },
  },
  {
    name: 'DokuWiki',
    command: 'php -S 127.0.0.1:$PORT',
    place: inCopy('dokuwiki', unpackDokuWiki),
    async perform(agent, url) {
      await agent.open(new URL('/doku.php?id=start', url).href)
      await agent.click(/link "Edit this page/)
      await agent.enter(/textbox (?=\[)/, '====== Harvest ======')
      await agent.click(/button "Preview/)
      await agent.wait('Remember: It is not saved yet')
      await agent.click(/button "Cancel/)
    },
    told: /heading "Start"/,
    bug: { file: 'inc/parser/xhtml.php', from: "'<h'.$level", to: "'<p'.$level" },
  },
  {
    name: 'Jupyter Notebook',
    command: `jupyter notebook --no-browser --allow-root --NotebookApp.token= --port=$PORT`,
    place: inCopy('jupyter'),
    async perform(agent, url) {
      await agent.open(url)
      await agent.click(/link "data"/)
      await agent.click(/link "harvest\.txt"/)
      await agent.enterLastTab()
      await agent.wait('good year')
    },
    told: /good year/,
    bug: { file: 'data/harvest.txt', from: 'good', to: 'bad' },
  },
  {
    ...NOTES,
    name: 'Turborepo',
    command: 'npm run dev',
    place: withPackages('turborepo'),
    bug: { file: 'apps/api/server.mjs', from: 'other !== note', to: 'other === note' },
  },
  {
    ...NOTES,
    name: 'json-server and Vite by concurrently',
    command: 'npm run dev',
    place: withPackages('json-server'),
    bug: { file: 'src/main.js', from: "send('DELETE'", to: "send('PATCH'" },
  },
]
