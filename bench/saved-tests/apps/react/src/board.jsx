import { useEffect, useState } from 'react'
import {
  AppBar,
  Box,
  Button,
  Container,
  List,
  Menu,
  MenuItem,
  Snackbar,
  Stack,
  Tab,
  Tabs,
  TextField,
  Toolbar,
  Typography,
} from '@mui/material'
import { DeleteDialog } from './delete-dialog.jsx'
import { TaskDialog } from './task-dialog.jsx'
import { TaskRow } from './task-row.jsx'
import { loadTasks, removeTask, saveTask, storeTasks, summaryOf, toggleTask, visibleTasks } from './tasks.js'

const orderNames = { created: 'Newest last', priority: 'Priority', title: 'Title' }

export function Board() {
  const [tasks, setTasks] = useState(loadTasks)
  const [status, setStatus] = useState('all')
  const [query, setQuery] = useState('')
  const [order, setOrder] = useState('created')
  const [anchor, setAnchor] = useState(null)
  const [draft, setDraft] = useState()
  const [candidate, setCandidate] = useState()
  const [removed, setRemoved] = useState()
  useEffect(() => storeTasks(tasks), [tasks])

  const shown = visibleTasks(tasks, { status, query, order })
  return (
    <Box>
      <AppBar position="static">
        <Toolbar>
          <Typography variant="h6" component="h1" sx={{ flexGrow: 1 }}>
            Task board
          </Typography>
          <Button
            color="inherit"
            onClick={() => setDraft({ title: '', priority: 'Medium', due: '', notes: '' })}
          >
            New task
          </Button>
        </Toolbar>
      </AppBar>
      <Container sx={{ mt: 3 }}>
        <Typography color="text.secondary">{summaryOf(tasks)}</Typography>
        <Tabs value={status} onChange={(_, value) => setStatus(value)} aria-label="Status">
          <Tab value="all" label="All" />
          <Tab value="open" label="Open" />
          <Tab value="done" label="Done" />
        </Tabs>
        <Stack direction="row" spacing={2} sx={{ my: 2 }}>
          <TextField
            size="small"
            label="Search tasks"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
          <Button aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
            Sort: {orderNames[order]}
          </Button>
          <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
            {Object.entries(orderNames).map(([value, name]) => (
              <MenuItem
                key={value}
                onClick={() => {
                  setOrder(value)
                  setAnchor(null)
                }}
              >
                {name}
              </MenuItem>
            ))}
          </Menu>
        </Stack>
        <List aria-label="Tasks">
          {shown.map((task) => (
            <TaskRow
              key={task.id}
              task={task}
              onToggle={() => setTasks(toggleTask(tasks, task.id))}
              onEdit={() => setDraft(task)}
              onDelete={() => setCandidate(task)}
            />
          ))}
        </List>
        {shown.length === 0 && <Typography>No tasks match.</Typography>}
      </Container>
      {draft && (
        <TaskDialog
          initial={draft}
          onCancel={() => setDraft(undefined)}
          onSave={(value) => {
            setTasks(saveTask(tasks, value))
            setDraft(undefined)
          }}
        />
      )}
      <DeleteDialog
        task={candidate}
        onCancel={() => setCandidate(undefined)}
        onConfirm={() => {
          setRemoved(tasks)
          setTasks(removeTask(tasks, candidate.id))
          setCandidate(undefined)
        }}
      />
      <Snackbar
        open={removed !== undefined}
        autoHideDuration={6000}
        onClose={(_, reason) => reason !== 'clickaway' && setRemoved(undefined)}
        message="Task deleted"
        action={
          <Button
            size="small"
            onClick={() => {
              setTasks(removed)
              setRemoved(undefined)
            }}
          >
            Undo
          </Button>
        }
      />
    </Box>
  )
}
