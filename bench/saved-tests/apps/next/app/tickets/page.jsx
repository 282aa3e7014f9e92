import Link from 'next/link'
import { visitorData } from '../../lib/store.js'

const PAGE_SIZE = 5

export default async function Tickets({ searchParams }) {
  const { q = '', status = '', page = '1' } = await searchParams
  const { tickets } = await visitorData()
  const matches = tickets
    .filter((ticket) => status === '' || ticket.status === status)
    .filter((ticket) => ticket.title.toLowerCase().includes(q.toLowerCase()))
  const number = Number(page)
  const shown = matches.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE)
  const hrefOf = (target) => `/tickets?${new URLSearchParams({ q, status, page: String(target) })}`
  return (
    <>
      <h1>Tickets</h1>
      <form>
        <label>
          Search <input name="q" defaultValue={q} />
        </label>{' '}
        <label>
          Status{' '}
          <select name="status" defaultValue={status}>
            <option value="">any</option>
            <option value="open">open</option>
            <option value="closed">closed</option>
          </select>
        </label>{' '}
        <button>Filter</button>
      </form>
      <p>{matches.length} tickets</p>
      <table>
        <thead>
          <tr>
            <th>No.</th>
            <th>Title</th>
            <th>Priority</th>
            <th>Status</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((ticket) => (
            <tr key={ticket.id}>
              <td>#{ticket.id}</td>
              <td>
                <Link href={`/tickets/${ticket.id}`}>{ticket.title}</Link>
              </td>
              <td>{ticket.priority}</td>
              <td>{ticket.status}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <nav aria-label="Pages">
        {number > 1 && <Link href={hrefOf(number - 1)}>Previous</Link>}{' '}
        {number * PAGE_SIZE < matches.length && <Link href={hrefOf(number + 1)}>Next</Link>}
      </nav>
      <Link href="/tickets/new">New ticket</Link>
    </>
  )
}
