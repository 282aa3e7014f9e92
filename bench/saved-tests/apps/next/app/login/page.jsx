'use client'

import { useActionState } from 'react'
import { signIn } from '../../lib/actions.js'

export default function Login() {
  const [state, action, isPending] = useActionState(signIn, {})
  return (
    <form action={action}>
      <h1>Sign in</h1>
      <p>
        <label>
          User name <input name="user" autoComplete="username" />
        </label>
      </p>
      <p>
        <label>
          Password <input name="password" type="password" />
        </label>
      </p>
      {state.message && <p role="alert">{state.message}</p>}
      <button disabled={isPending}>Sign in</button>
    </form>
  )
}
