import { Listbox, ListboxButton, ListboxOption, ListboxOptions } from '@headlessui/react'
import Autocomplete from '@mui/material/Autocomplete'
import FormControl from '@mui/material/FormControl'
import InputLabel from '@mui/material/InputLabel'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import TextField from '@mui/material/TextField'
import * as Dialog from '@radix-ui/react-dialog'
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'

export function Size() {
  const [size, setSize] = useState('S')
  return (
    <FormControl style={{ margin: '1em', width: 200 }}>
      <InputLabel id="size">Size</InputLabel>
      <Select labelId="size" label="Size" value={size} onChange={(event) => setSize(event.target.value)}>
        <MenuItem value="S">Small</MenuItem>
        <MenuItem value="M">Medium</MenuItem>
        <MenuItem value="L">Large</MenuItem>
      </Select>
    </FormControl>
  )
}

const content = { background: 'white', left: 300, padding: 20, position: 'fixed', top: 100 }

export function Profile() {
  return (
    <Dialog.Root>
      <Dialog.Trigger>Edit profile</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay style={{ background: '#0008', inset: 0, position: 'fixed' }} />
        <Dialog.Content style={content}>
          <Dialog.Title>Profile</Dialog.Title>
          <Dialog.Description>Change your name here.</Dialog.Description>
          <input aria-label="Nickname" defaultValue="ada" />
          <Dialog.Close>Done</Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const colours = ['Red', 'Green', 'Blue']

export function Colour() {
  const [colour, setColour] = useState('Red')
  return (
    <Listbox value={colour} onChange={setColour}>
      <ListboxButton aria-label="Colour">{colour}</ListboxButton>
      <ListboxOptions anchor="bottom" style={{ background: 'white' }}>
        {colours.map((one) => (
          <ListboxOption key={one} value={one}>
            {one}
          </ListboxOption>
        ))}
      </ListboxOptions>
    </Listbox>
  )
}

export function Day() {
  return <DatePicker aria-label="Day" defaultValue={dayjs('2026-01-15')} />
}

const fruits = ['Apple', 'Banana', 'Cherry', 'Plum']

export function Fruits() {
  const [chosen, setChosen] = useState(['Apple', 'Plum'])
  return (
    <>
      <Autocomplete
        multiple
        id="fruits"
        className="fruits"
        options={fruits}
        value={chosen}
        onChange={(event, values) => setChosen(values)}
        renderInput={(parts) => <TextField {...parts} label="Fruits" />}
        style={{ width: 400 }}
      />
      <output id="chosen">{chosen.toSorted().join()}</output>
    </>
  )
}
