import { useState } from 'react'

export function Counter() {
  const [count, setCount] = useState(0)
  return (
    <main>
      <button onClick={() => setCount(count + 1)}>Count up</button>
      <output id="state">Counted: {count}</output>
    </main>
  )
}
