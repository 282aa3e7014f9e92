import { cookies } from 'next/headers'

const visitors = (globalThis.visitors ??= new Map())

const titles = [
  'Printer does not answer',
  'Password reset mail is late',
  'Export fails for large tables',
  'Wrong currency on invoice',
  'Dark mode is unreadable',
  'Search ignores umlauts',
  'Calendar shows wrong week',
]

const initial = () => ({
  user: undefined,
  settings: { name: 'Support team', email: 'support@example.com', isWeekly: false },
  tickets: titles.map((title, index) => ({
    id: index + 1,
    title,
    text: `${title}. Reported by a customer.`,
    priority: index % 3 === 0 ? 'high' : 'normal',
    status: index % 4 === 3 ? 'closed' : 'open',
    assignee: '',
    comments: [],
  })),
})

export async function visitorData() {
  const sid = (await cookies()).get('sid')?.value ?? 'none'
  if (!visitors.has(sid)) visitors.set(sid, initial())
  return visitors.get(sid)
}
