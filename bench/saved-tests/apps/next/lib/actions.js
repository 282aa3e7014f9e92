'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { visitorData } from './store.js'

export async function signIn(_, form) {
  const data = await visitorData()
  if (form.get('user') !== 'grace' || form.get('password') !== 'compiler-1952')
    return { message: 'User name or password is wrong.' }
  data.user = 'grace'
  redirect('/tickets')
}

export async function signOut() {
  const data = await visitorData()
  data.user = undefined
  redirect('/')
}

export async function createTicket(_, form) {
  const data = await visitorData()
  const title = String(form.get('title')).trim()
  const text = String(form.get('text')).trim()
  const errors = {}
  if (title.length < 5) errors.title = 'The title needs at least 5 characters.'
  if (text === '') errors.text = 'Describe the problem.'
  if (Object.keys(errors).length > 0) return { errors, title, text }
  const id = data.tickets.length + 1
  const priority = String(form.get('priority'))
  data.tickets.push({ id, title, text, priority, status: 'open', assignee: '', comments: [] })
  redirect(`/tickets/${id}`)
}

export async function addComment(form) {
  const data = await visitorData()
  const ticket = data.tickets.find((one) => one.id === Number(form.get('id')))
  const text = String(form.get('comment')).trim()
  if (text !== '') ticket.comments.push({ author: data.user ?? 'guest', text, at: new Date().toISOString() })
  revalidatePath(`/tickets/${ticket.id}`)
}

export async function changeStatus(form) {
  const data = await visitorData()
  const ticket = data.tickets.find((one) => one.id === Number(form.get('id')))
  ticket.status = ticket.status === 'open' ? 'closed' : 'open'
  revalidatePath(`/tickets/${ticket.id}`)
}

export async function assign(form) {
  const data = await visitorData()
  const ticket = data.tickets.find((one) => one.id === Number(form.get('id')))
  ticket.assignee = String(form.get('assignee'))
  revalidatePath(`/tickets/${ticket.id}`)
}

export async function saveSettings(_, form) {
  const data = await visitorData()
  const email = String(form.get('email'))
  if (!/^\S+@\S+\.\S+$/.test(email)) return { problem: 'Enter a valid email address.' }
  data.settings = { name: String(form.get('name')), email, isWeekly: form.get('weekly') === 'on' }
  revalidatePath('/', 'layout')
  return { message: 'Settings saved.' }
}
