import { useState } from 'react'

export function AddForm({ onAdd }) {
  const [name, setName] = useState('')
  const [quantity, setQuantity] = useState('1')
  const [isSending, setIsSending] = useState(false)
  const send = async (event) => {
    event.preventDefault()
    setIsSending(true)
    if (await onAdd({ name: name.trim(), quantity: Number(quantity) })) {
      setName('')
      setQuantity('1')
    }
    setIsSending(false)
  }
  return (
    <form onSubmit={send}>
      <label>
        New item <input required value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <label>
        Quantity{' '}
        <input type="number" min="0" value={quantity} onChange={(event) => setQuantity(event.target.value)} />
      </label>
      <button disabled={isSending}>{isSending ? 'Adding…' : 'Add item'}</button>
    </form>
  )
}
