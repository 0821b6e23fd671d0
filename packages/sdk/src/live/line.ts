import { readServerFrame, type ServerFrame } from './live-event.ts'

/** As much of a platform's WebSocket as is used; every browser and Node have it. */
export type SocketLike = {
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: never) => void): void
  send(text: string): void
  close(code?: number, reason?: string): void
}
/** Node takes headers where a browser takes protocols; a browser sends its cookie and origin by itself. */
export type SocketConstructor = new (url: string, more?: { headers: Record<string, string> }) => SocketLike

/** One socket. */
export type Line = {
  send(type: string, payload: Readonly<Record<string, unknown>>, id: string): void
  /** Resolves when the connection is gone, from whichever side. */
  readonly gone: Promise<void>
  close(): void
}

export type LineOptions = {
  readonly url: string
  readonly Socket: SocketConstructor
  readonly headers: Readonly<Record<string, string>>
  readonly onFrame: (frame: ServerFrame, line: Line) => void
  /** A line on which nothing at all is heard for this long is taken for dead: the service pings twice in that time. */
  readonly silenceMs: number
  /** The first word comes sooner than that. */
  readonly welcomeMs: number
}

/** Opens a socket, answers its pings, and gives it up when it is silent. */
export function openLine({ url, Socket, headers, onFrame, silenceMs, welcomeMs }: LineOptions): Line {
  // A browser takes no headers, and in a browser there are none to give.
  const socket = Object.keys(headers).length === 0 ? new Socket(url) : new Socket(url, { headers: { ...headers } })
  let isOpen = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let tellGone = (): void => undefined
  const gone = new Promise<void>((resolve) => {
    tellGone = resolve
  })
  const end = (): void => {
    isOpen = false
    clearTimeout(timer)
    tellGone()
  }
  const close = (): void => {
    if (!isOpen) return
    end()
    socket.close(1000)
  }
  const patient = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(close, ms)
  }
  const line: Line = {
    gone,
    close,
    send: (type, payload, id) => {
      if (isOpen) socket.send(JSON.stringify({ type, payload, id }))
    },
  }
  socket.addEventListener('message', (event) => {
    if (!isOpen) return
    patient(silenceMs)
    const frame = readServerFrame((event as { readonly data: unknown }).data) // a MessageEvent of whichever platform
    if (frame === undefined) return
    if (frame.type === 'ping') line.send('pong', {}, frame.id)
    else onFrame(frame, line)
  })
  socket.addEventListener('close', end)
  // A browser says no more of an error than that there was one; the close comes after it.
  socket.addEventListener('error', end)
  patient(welcomeMs)
  return line
}
