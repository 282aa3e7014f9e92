import { useState } from 'react'
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControl,
  InputLabel,
  MenuItem,
  Select,
  TextField,
} from '@mui/material'
import { validate } from './tasks.js'

export function TaskDialog({ initial, onSave, onCancel }) {
  const [draft, setDraft] = useState(initial)
  const [problem, setProblem] = useState()
  const set = (name) => (event) => setDraft({ ...draft, [name]: event.target.value })
  const save = (event) => {
    event.preventDefault()
    const found = validate(draft)
    setProblem(found)
    if (found === undefined) onSave(draft)
  }
  return (
    <Dialog open onClose={onCancel} fullWidth maxWidth="sm">
      <form onSubmit={save} noValidate>
        <DialogTitle>{initial.id === undefined ? 'New task' : 'Edit task'}</DialogTitle>
        <DialogContent>
          <TextField
            autoFocus
            fullWidth
            margin="normal"
            label="Title"
            value={draft.title}
            onChange={set('title')}
            error={problem !== undefined}
            helperText={problem}
          />
          <FormControl fullWidth margin="normal">
            <InputLabel id="priority-label">Priority</InputLabel>
            <Select
              labelId="priority-label"
              label="Priority"
              value={draft.priority}
              onChange={set('priority')}
            >
              <MenuItem value="High">High</MenuItem>
              <MenuItem value="Medium">Medium</MenuItem>
              <MenuItem value="Low">Low</MenuItem>
            </Select>
          </FormControl>
          <TextField
            fullWidth
            margin="normal"
            type="date"
            label="Due date"
            value={draft.due}
            onChange={set('due')}
            slotProps={{ inputLabel: { shrink: true } }}
          />
          <TextField
            fullWidth
            multiline
            minRows={2}
            margin="normal"
            label="Notes"
            value={draft.notes}
            onChange={set('notes')}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" variant="contained">
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
