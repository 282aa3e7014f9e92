'use client'

import { useActionState, useState } from 'react'
import { saveSettings } from '../../lib/actions.js'

export function SettingsForm({ settings }) {
  const [state, action, isPending] = useActionState(saveSettings, {})
  const [form, setForm] = useState(settings)
  return (
    <form action={action}>
      <p>
        <label>
          Team name{' '}
          <input
            name="name"
            value={form.name}
            onChange={(event) => setForm({ ...form, name: event.target.value })}
          />
        </label>
      </p>
      <p>
        <label>
          Contact email{' '}
          <input
            name="email"
            value={form.email}
            onChange={(event) => setForm({ ...form, email: event.target.value })}
          />
        </label>
      </p>
      <p>
        <label>
          <input
            type="checkbox"
            name="weekly"
            checked={form.isWeekly}
            onChange={(event) => setForm({ ...form, isWeekly: event.target.checked })}
          />{' '}
          Weekly summary
        </label>
      </p>
      {state.problem && <p role="alert">{state.problem}</p>}
      {state.message && <p role="status">{state.message}</p>}
      <button disabled={isPending}>Save settings</button>
    </form>
  )
}
