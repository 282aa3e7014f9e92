import Link from 'next/link'
import { visitorData } from '../lib/store.js'

export default async function Home() {
  const { tickets } = await visitorData()
  const open = tickets.filter(({ status }) => status === 'open').length
  return (
    <>
      <h1>Help desk</h1>
      <p>
        {open} open tickets, {tickets.length - open} closed
      </p>
      <Link href="/tickets/new">Report a problem</Link>
    </>
  )
}
