'use client'

import { useActionState } from 'react'
import { createTicket } from '../../../lib/actions.js'

export default function NewTicket() {
  const [state, action, isPending] = useActionState(createTicket, {})
  return (
    <form action={action}>
      <h1>New ticket</h1>
      <p>
        <label>
          Title <input name="title" defaultValue={state.title} />
        </label>{' '}
        {state.errors?.title && <span role="alert">{state.errors.title}</span>}
      </p>
      <p>
        <label>
          Description <textarea name="text" defaultValue={state.text} />
        </label>{' '}
        {state.errors?.text && <span role="alert">{state.errors.text}</span>}
      </p>
      <p>
        <label>
          Priority{' '}
          <select name="priority" defaultValue="normal">
            <option>low</option>
            <option>normal</option>
            <option>high</option>
          </select>
        </label>
      </p>
      <button disabled={isPending}>Create ticket</button>
    </form>
  )
}
