import { useState } from 'react'
import { Cards } from './cards.jsx'
import { Colour, Day, Fruits, Profile, Size } from './choices.jsx'
import { Editor } from './editor.jsx'

const links = Array.from({ length: 30 }, (_, index) => `Chapter ${index + 1}`)

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
      <Size />
      <Profile />
      <Colour />
      <Day />
      <Fruits />
      <Cards />
      <Editor />
      <nav>
        {links.map((link) => (
          <a key={link} href={`#${link}`}>
            {link}
          </a>
        ))}
      </nav>
    </main>
  )
}
