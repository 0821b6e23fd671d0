import { useEffect, useRef, type Dispatch, type PointerEvent, type ReactNode, type RefObject } from 'react'
import type { Party } from '@ergon/contract'
import { portraitClass } from '../../components/portrait.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { changed, mostZoom, pushed, roomOf, type Frame, type Size } from './frame.ts'
import { pictureMessages } from './picture-messages.ts'
import { drawSquare, squareSide } from './square-of.ts'

type FramingProps = {
  readonly picture: ImageBitmap
  readonly frame: Frame
  readonly onFrame: Dispatch<(frame: Frame) => Frame>
  readonly party: Party
  /** Shows what others will see. */
  readonly canvas: RefObject<HTMLCanvasElement | null>
}

/** What is shown of a picture: a finger pushes it, two or a slider bring it nearer, a tap moves its middle. */
export function Framing({ picture, frame, onFrame, party, canvas }: FramingProps): ReactNode {
  const say = useMessages(pictureMessages)
  const gestures = useGestures(picture, onFrame)
  useEffect(() => {
    if (canvas.current !== null) drawSquare(canvas.current, picture, frame)
  }, [canvas, picture, frame])
  const room = roomOf(picture, frame)
  return (
    <div className="framing">
      <canvas
        ref={canvas}
        width={squareSide}
        height={squareSide}
        role="img"
        aria-label={say('framed')}
        className={`framing-picture ${portraitClass(party)}`}
        {...gestures}
      />
      <Slider
        says={say('zoom')}
        value={frame.zoom}
        from={1}
        to={mostZoom}
        onValue={(zoom) => onFrame((one) => changed(picture, one, { zoom }))}
      />
      {nudges.map(({ axis, says }) => (
        <Slider
          key={axis}
          isNudge
          says={say(says)}
          value={frame[axis]}
          from={room[axis]}
          to={1 - room[axis]}
          onValue={(value) => onFrame((one) => changed(picture, one, { [axis]: value }))}
        />
      ))}
    </div>
  )
}

const nudges = [
  { axis: 'x', says: 'sideways' },
  { axis: 'y', says: 'upAndDown' },
] as const

type SliderProps = {
  readonly says: string
  readonly value: number
  readonly from: number
  readonly to: number
  readonly onValue: (value: number) => void
  /** For the keyboard alone: a hand pushes the picture itself. */
  readonly isNudge?: boolean
}

function Slider({ says, value, from, to, onValue, isNudge = false }: SliderProps): ReactNode {
  return (
    <label className={`framing-slider ${isNudge ? 'framing-nudge' : ''}`}>
      <span className="text-sm text-quiet">{says}</span>
      <input
        type="range"
        min={from}
        max={to}
        step={(to - from) / 40 || 1}
        value={value}
        disabled={from >= to}
        onChange={({ target }) => onValue(target.valueAsNumber)}
      />
    </label>
  )
}

type Spot = { readonly x: number; readonly y: number }
type Held = { readonly from: Spot; readonly at: Spot }
/** A finger that moved less has tapped. */
const tapPx = 4

function useGestures(picture: Size, onFrame: FramingProps['onFrame']) {
  const held = useRef(new Map<number, Held>())
  const letGo = ({ pointerId, clientX: x, clientY: y, currentTarget }: PointerEvent<HTMLCanvasElement>): void => {
    const one = held.current.get(pointerId)
    held.current.delete(pointerId)
    if (one === undefined || held.current.size > 0 || far(one.from, { x, y }) > tapPx) return
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    const by = { x: 0.5 - (x - left) / width, y: 0.5 - (y - top) / height }
    onFrame((frame) => pushed(picture, frame, by))
  }
  return {
    onPointerDown({ pointerId, clientX: x, clientY: y, currentTarget }: PointerEvent<HTMLCanvasElement>) {
      currentTarget.setPointerCapture(pointerId)
      held.current.set(pointerId, { from: { x, y }, at: { x, y } })
    },
    onPointerMove({ pointerId, clientX: x, clientY: y, currentTarget }: PointerEvent<HTMLCanvasElement>) {
      const one = held.current.get(pointerId)
      if (one === undefined) return
      held.current.set(pointerId, { ...one, at: { x, y } })
      const [other] = [...held.current].filter(([id]) => id !== pointerId).map(([, { at }]) => at)
      const side = currentTarget.getBoundingClientRect().width * held.current.size
      const by = { x: (x - one.at.x) / side, y: (y - one.at.y) / side }
      const nearer = other === undefined ? 1 : far({ x, y }, other) / Math.max(1, far(one.at, other))
      onFrame((frame) => {
        const next = pushed(picture, frame, by)
        return nearer === 1 ? next : changed(picture, next, { zoom: next.zoom * nearer })
      })
    },
    onPointerUp: letGo,
    onPointerCancel({ pointerId }: PointerEvent<HTMLCanvasElement>) {
      held.current.delete(pointerId)
    },
  }
}

const far = (one: Spot, other: Spot): number => Math.hypot(one.x - other.x, one.y - other.y)
