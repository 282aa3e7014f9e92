import { useEffect, useState } from 'react'
import toast from 'react-hot-toast'
import { AddForm } from './add-form.jsx'
import { request } from './api.js'
import { ItemRow } from './item-row.jsx'

const SEARCH_DELAY_MS = 300

export function StockRoom() {
  const [items, setItems] = useState()
  const [query, setQuery] = useState('')
  const [search, setSearch] = useState('')
  const [showsHelp, setShowsHelp] = useState(false)
  const [printed, setPrinted] = useState()

  useEffect(() => {
    const timer = setTimeout(() => setSearch(query), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [query])
  useEffect(() => {
    let isCurrent = true
    setItems(undefined)
    void request('GET', `/items?q=${encodeURIComponent(search)}`).then((list) => isCurrent && setItems(list))
    return () => void (isCurrent = false)
  }, [search])
  useEffect(() => {
    const onMessage = ({ data }) => data.printed && setPrinted(`${data.copies} × ${data.printed}`)
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [])

  const replace = (id, part) =>
    setItems((list) => list.map((item) => (item.id === id ? { ...item, ...part } : item)))
  const favour = async (item) => {
    const isFavourite = !item.isFavourite
    replace(item.id, { isFavourite })
    try {
      await request('PATCH', `/items/${item.id}`, { isFavourite })
    } catch (error) {
      replace(item.id, { isFavourite: item.isFavourite })
      toast.error(error.message)
    }
  }
  const changeQuantity = async (item, quantity) => {
    const saved = await request('PATCH', `/items/${item.id}`, { quantity })
    replace(item.id, { quantity: saved.quantity })
    toast.success(`${item.name}: ${saved.quantity} in stock`)
  }
  const remove = async (item) => {
    if (!window.confirm(`Remove ${item.name}?`)) return
    await request('DELETE', `/items/${item.id}`)
    setItems((list) => list.filter((one) => one.id !== item.id))
    toast.success(`${item.name} removed`)
  }
  const add = async (draft) => {
    try {
      const item = await request('POST', '/items', draft)
      setItems((list) => [...(list ?? []), item])
      toast.success(`${item.name} added`)
      return true
    } catch (error) {
      toast.error(error.message)
      return false
    }
  }
  const openLabel = (item) =>
    window.open(`/label.html?name=${encodeURIComponent(item.name)}`, 'label', 'width=400,height=300')

  return (
    <>
      <h1>Stock room</h1>
      <input
        type="search"
        placeholder="Search items"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <AddForm onAdd={add} />
      {items === undefined ? (
        <div aria-busy="true" aria-label="Loading">
          {[1, 2, 3].map((index) => (
            <p key={index} className="skeleton" />
          ))}
        </div>
      ) : (
        <>
          <p>{items.length} items</p>
          <table>
            <thead>
              <tr>
                <th>Item</th>
                <th>Quantity</th>
                <th>Actions</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <ItemRow
                  key={item.id}
                  item={item}
                  onFavour={() => favour(item)}
                  onQuantity={(quantity) => changeQuantity(item, quantity)}
                  onRemove={() => remove(item)}
                  onLabel={() => openLabel(item)}
                />
              ))}
            </tbody>
          </table>
        </>
      )}
      {printed && <p>Printed: {printed}</p>}
      <button onClick={() => setShowsHelp(!showsHelp)}>{showsHelp ? 'Hide help' : 'Get help'}</button>
      {showsHelp && <iframe title="Help" src="/help.html" />}
    </>
  )
}
