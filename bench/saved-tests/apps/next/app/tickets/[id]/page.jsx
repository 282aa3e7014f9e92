import { notFound } from 'next/navigation'
import { addComment, assign, changeStatus } from '../../../lib/actions.js'
import { visitorData } from '../../../lib/store.js'

export default async function Ticket({ params }) {
  const { id } = await params
  const { tickets } = await visitorData()
  const ticket = tickets.find((one) => one.id === Number(id))
  if (!ticket) notFound()
  return (
    <article>
      <h1>
        #{ticket.id} {ticket.title}
      </h1>
      <p>
        Status: {ticket.status} · Priority: {ticket.priority} · Assignee: {ticket.assignee || 'nobody'}
      </p>
      <p>{ticket.text}</p>
      <form action={changeStatus}>
        <input type="hidden" name="id" value={ticket.id} />
        <button>{ticket.status === 'open' ? 'Close ticket' : 'Reopen ticket'}</button>
      </form>
      <form action={assign}>
        <input type="hidden" name="id" value={ticket.id} />
        <label>
          Assign to{' '}
          <select name="assignee" defaultValue={ticket.assignee} key={ticket.assignee}>
            <option value="">nobody</option>
            <option>Grace</option>
            <option>Linus</option>
          </select>
        </label>{' '}
        <button>Assign</button>
      </form>
      <h2>Comments ({ticket.comments.length})</h2>
      <ul>
        {ticket.comments.map((comment) => (
          <li key={comment.at}>
            <b>{comment.author}</b>: {comment.text}{' '}
            <small>{new Date(comment.at).toLocaleTimeString('en')}</small>
          </li>
        ))}
      </ul>
      <form action={addComment}>
        <input type="hidden" name="id" value={ticket.id} />
        <label>
          Comment <textarea name="comment" />
        </label>{' '}
        <button>Add comment</button>
      </form>
    </article>
  )
}
