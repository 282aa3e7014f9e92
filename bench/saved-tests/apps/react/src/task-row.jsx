import { Checkbox, Chip, IconButton, ListItem, ListItemText } from '@mui/material'

const colors = { High: 'error', Medium: 'warning', Low: 'default' }

const formatDate = (due) => (due === '' ? 'No due date' : `Due ${due}`)

export function TaskRow({ task, onToggle, onEdit, onDelete }) {
  return (
    <ListItem
      divider
      secondaryAction={
        <>
          <IconButton aria-label="Edit" onClick={onEdit}>
            ✎
          </IconButton>
          <IconButton aria-label="Delete" onClick={onDelete}>
            🗑
          </IconButton>
        </>
      }
    >
      <Checkbox
        checked={task.isDone}
        onChange={onToggle}
        slotProps={{ input: { 'aria-label': `Done: ${task.title}` } }}
      />
      <ListItemText primary={task.title} secondary={formatDate(task.due)} />
      <Chip size="small" label={task.priority} color={colors[task.priority]} sx={{ mr: 8 }} />
    </ListItem>
  )
}
