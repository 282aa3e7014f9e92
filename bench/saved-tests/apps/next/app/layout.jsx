import Link from 'next/link'
import { signOut } from '../lib/actions.js'
import { visitorData } from '../lib/store.js'

export const metadata = { title: 'Help desk' }

export default async function Layout({ children }) {
  const { user, settings } = await visitorData()
  return (
    <html lang="en">
      <body style={{ fontFamily: 'system-ui, sans-serif', margin: '1rem 2rem' }}>
        <header>
          <strong>{settings.name}</strong>
          <nav aria-label="Main">
            <Link href="/">Home</Link> · <Link href="/tickets">Tickets</Link> ·{' '}
            <Link href="/settings">Settings</Link> ·{' '}
            {user ? (
              <form action={signOut} style={{ display: 'inline' }}>
                Signed in as {user} <button>Sign out</button>
              </form>
            ) : (
              <Link href="/login">Sign in</Link>
            )}
          </nav>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
