// Who acts in a session: its agent, or a person to whom it is lent for a time.

export type ControlState =
  | { readonly by: 'agent' }
  /** The agent has asked for a person and waits. */
  | { readonly by: 'nobody'; readonly reason: string; readonly until: number }
  | {
      readonly by: 'person'
      /** The open page of the view that has the session. */
      readonly viewer: string
      readonly seenAt: number
      readonly until: number
      readonly reason?: string
    }

/** Times are Unix milliseconds. */
export type ControlEvent = { readonly at: number } & (
  | { readonly type: 'asked'; readonly reason: string; readonly timeout: number }
  /** The agent waits no longer. */
  | { readonly type: 'withdrawn' }
  | { readonly type: 'taken'; readonly viewer: string }
  /** The page of the viewer is still there. */
  | { readonly type: 'seen'; readonly viewer: string }
  /** The viewer has done something in the session. */
  | { readonly type: 'acted'; readonly viewer: string }
  | { readonly type: 'returned'; readonly viewer: string }
  | { readonly type: 'ticked' }
)

/** After this time without a request from its viewer the session is the agent's again. */
export const VIEWER_LIMIT_MS = 10_000
/** The same after this time without an input. */
export const IDLE_PERSON_LIMIT_MS = 15 * 60_000

export const agentControl: ControlState = { by: 'agent' }

/** The state after an event. One that does not apply, such as that of another viewer, changes nothing. */
export function changeControl(state: ControlState, event: ControlEvent): ControlState {
  const { at } = event
  const current = at >= endOf(state) ? agentControl : state
  switch (event.type) {
    case 'asked':
      return current.by === 'agent'
        ? { by: 'nobody', reason: event.reason, until: at + event.timeout }
        : current
    case 'withdrawn':
      return current.by === 'nobody' ? agentControl : current
    case 'taken':
      return current.by === 'person'
        ? current
        : {
            by: 'person',
            viewer: event.viewer,
            seenAt: at,
            until: at + IDLE_PERSON_LIMIT_MS,
            ...(current.by === 'nobody' && { reason: current.reason }),
          }
    case 'seen':
      return hasSession(current, event.viewer) ? { ...current, seenAt: at } : current
    case 'acted':
      return hasSession(current, event.viewer)
        ? { ...current, seenAt: at, until: at + IDLE_PERSON_LIMIT_MS }
        : current
    case 'returned':
      return hasSession(current, event.viewer) ? agentControl : current
    case 'ticked':
      return current
  }
}

export const hasSession = (
  state: ControlState,
  viewer: string,
): state is Extract<ControlState, { by: 'person' }> => state.by === 'person' && state.viewer === viewer

/** When it is the agent's again by itself. */
export function endOf(state: ControlState): number {
  if (state.by === 'agent') return Infinity
  return state.by === 'nobody' ? state.until : Math.min(state.until, state.seenAt + VIEWER_LIMIT_MS)
}
