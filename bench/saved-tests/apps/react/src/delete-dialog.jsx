import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material'

export function DeleteDialog({ task, onConfirm, onCancel }) {
  return (
    <Dialog open={task !== undefined} onClose={onCancel}>
      <DialogTitle>Delete task?</DialogTitle>
      <DialogContent>
        <DialogContentText>“{task?.title}” is removed from the board.</DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button color="error" onClick={onConfirm}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}
