'use client'
import { useState } from 'react'

// A bundle that takes its time in the browser.
if (typeof window !== 'undefined') {
  const since = performance.now()
  while (performance.now() - since < 1500);
}

export default function Page() {
  const [count, setCount] = useState(0)
  return (
    <main>
      <button onClick={() => setCount(count + 1)}>Count up</button>
      <output id="state">Counted: {count}</output>
    </main>
  )
}
