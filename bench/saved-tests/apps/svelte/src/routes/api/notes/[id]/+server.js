import { error, json } from '@sveltejs/kit'

export async function PATCH({ params, request, locals: { data } }) {
  const note = data.notes.find((one) => one.id === Number(params.id))
  if (!note) error(404, 'There is no such note')
  Object.assign(note, await request.json())
  return json(note)
}
