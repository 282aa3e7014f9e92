import { useState } from 'react'

export function App() {
  const [count, setCount] = useState(0)
  function increment() {
    setCount(count + 1)
  }
  return (
    <main>
      <h1>First title</h1>
      <button id="counter" onClick={increment}>
        Count: {count}
      </button>
    </main>
  )
}
