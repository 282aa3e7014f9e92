// The widgets of real packages, one per path.

import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControl from '@mui/material/FormControl'
import InputLabel from '@mui/material/InputLabel'
import MenuItem from '@mui/material/MenuItem'
import MuiSelect from '@mui/material/Select'
import SvgIcon from '@mui/material/SvgIcon'
import Switch from '@mui/material/Switch'
import FormControlLabel from '@mui/material/FormControlLabel'
import TextField from '@mui/material/TextField'
import Autocomplete from '@mui/material/Autocomplete'
import * as Select from '@radix-ui/react-select'
import { DndContext, PointerSensor, useDraggable, useDroppable, useSensor, useSensors } from '@dnd-kit/core'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const sizes = ['Small', 'Medium', 'Large']
const chapters = Array.from({ length: 30 }, (_, index) => `Chapter ${index + 1}`)

const Links = () => (
  <nav>
    {chapters.map((chapter) => (
      <div key={chapter}>
        <a href={`#${chapter}`}>{chapter}</a>
      </div>
    ))}
  </nav>
)

function MuiSize() {
  const [size, setSize] = useState('Small')
  return (
    <FormControl sx={{ width: 200, margin: 4 }}>
      <InputLabel id="size">Size</InputLabel>
      <MuiSelect labelId="size" label="Size" value={size} onChange={({ target }) => setSize(target.value)}>
        {sizes.map((one) => (
          <MenuItem key={one} value={one}>
            {one}
          </MenuItem>
        ))}
      </MuiSelect>
      <output id="state">Chosen: {size}</output>
    </FormControl>
  )
}

function RadixSize() {
  const [size, setSize] = useState('Small')
  return (
    <main>
      <Select.Root value={size} onValueChange={setSize}>
        <Select.Trigger aria-label="Size">
          <Select.Value />
        </Select.Trigger>
        <Select.Portal>
          <Select.Content>
            <Select.Viewport>
              {sizes.map((one) => (
                <Select.Item key={one} value={one}>
                  <Select.ItemText>{one}</Select.ItemText>
                </Select.Item>
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      <output id="state">Chosen: {size}</output>
    </main>
  )
}

function Cart() {
  const [count, setCount] = useState(0)
  const icon = (
    <SvgIcon>
      <path d="M19 13h-6v6h-2v-6H5v-2h6V5h2v6h6v2z" />
    </SvgIcon>
  )
  return (
    <main>
      <Button startIcon={icon} onClick={() => setCount(count + 1)}>
        Add to cart
      </Button>
      <Button startIcon={icon}>Add to list</Button>
      <FormControlLabel control={<Switch />} label="Gift wrapping" />
      <output id="state">{count} in cart</output>
    </main>
  )
}

function Modal() {
  const [open, setOpen] = useState(false)
  const [saved, setSaved] = useState('nothing')
  const close = (what) => () => {
    setOpen(false)
    setSaved(what)
  }
  return (
    <main>
      <Links />
      <Button onClick={() => setOpen(true)}>Edit profile</Button>
      <output id="state">Saved: {saved}</output>
      <Dialog open={open} onClose={close('nothing')}>
        <DialogTitle>Profile</DialogTitle>
        <DialogContent>
          <TextField label="Nickname" />
        </DialogContent>
        <DialogActions>
          <Button onClick={close('nothing')}>Cancel</Button>
          <Button onClick={close('profile')}>Save profile</Button>
        </DialogActions>
      </Dialog>
    </main>
  )
}

function Search() {
  const [found, setFound] = useState([])
  const [city, setCity] = useState('none')
  const search = async (_, text) => setFound(await (await fetch(`/cities?q=${text}`)).json())
  return (
    <main>
      <Autocomplete
        options={found}
        filterOptions={(all) => all}
        onInputChange={search}
        onChange={(_, value) => setCity(value)}
        renderInput={(props) => <TextField {...props} label="City" />}
      />
      <output id="state">City: {city}</output>
    </main>
  )
}

function Card({ id }) {
  const { attributes, listeners, setNodeRef, transform } = useDraggable({ id })
  const style = {
    width: 160,
    padding: 10,
    background: '#ddd',
    transform: transform ? `translate(${transform.x}px, ${transform.y}px)` : undefined,
  }
  return (
    <div ref={setNodeRef} style={style} {...listeners} {...attributes}>
      {id}
    </div>
  )
}

function Column({ id, children }) {
  const { setNodeRef } = useDroppable({ id })
  return (
    <section ref={setNodeRef} aria-label={id} style={{ width: 200, minHeight: 120, border: '1px solid' }}>
      <h2>{id}</h2>
      {children}
    </section>
  )
}

function Board({ constraint }) {
  const [place, setPlace] = useState('Todo')
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: constraint }))
  return (
    <DndContext sensors={sensors} onDragEnd={({ over }) => over && setPlace(over.id)}>
      <div style={{ display: 'flex', gap: 20 }}>
        {['Todo', 'Done'].map((id) => (
          <Column key={id} id={id}>
            {place === id && <Card id="Write report" />}
          </Column>
        ))}
      </div>
      <output id="state">Report is in {place}</output>
    </DndContext>
  )
}

function Order() {
  const [order, setOrder] = useState()
  const [problem, setProblem] = useState('')
  useEffect(() => () => {}, [])
  const load = async () => {
    const response = await fetch('/api/orders/7')
    if (!response.ok) return setProblem('Something went wrong')
    setOrder(await response.json())
  }
  return (
    <main>
      <h1>Order</h1>
      <Button onClick={load}>Load order</Button>
      <Button onClick={() => order.total.toFixed(2)}>Show total</Button>
      <Button onClick={() => setOrder({ lines: undefined })}>Show lines</Button>
      {order && <p>{order.lines.length} lines</p>}
      <p role="alert">{problem}</p>
    </main>
  )
}

const screens = {
  '/mui-select': <MuiSize />,
  '/radix-select': <RadixSize />,
  '/cart': <Cart />,
  '/modal': <Modal />,
  '/search': <Search />,
  '/board-delay': <Board constraint={{ delay: 250, tolerance: 5 }} />,
  '/board-distance': <Board constraint={{ distance: 8 }} />,
  '/order': <Order />,
}
createRoot(document.getElementById('root')).render(screens[location.pathname])
