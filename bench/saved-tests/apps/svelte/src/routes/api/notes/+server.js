import { json } from '@sveltejs/kit'

export function POST({ locals: { data } }) {
  const note = {
    id: data.nextId++,
    title: 'Untitled',
    body: '',
    tags: [],
    isPinned: false,
    isArchived: false,
  }
  data.notes.push(note)
  return json(note)
}
