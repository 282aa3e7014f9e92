import { randomUUID } from 'node:crypto'
import { dataOf } from '$lib/store.server.js'

export function handle({ event, resolve }) {
  let sid = event.cookies.get('sid')
  if (!sid) {
    sid = randomUUID()
    event.cookies.set('sid', sid, { path: '/', secure: false })
  }
  event.locals.data = dataOf(sid)
  return resolve(event)
}
