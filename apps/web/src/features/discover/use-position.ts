import { useState } from 'react'
import { devicePosition } from '../../lib/device-position.ts'
import type { Point } from '../../lib/geo.ts'

const patienceMs = 15_000
/** A few hundred metres and minutes are near enough for finding work. */
const oldEnoughMs = 5 * 60_000

export type PositionAsker = {
  readonly ask: () => void
  readonly isAsking: boolean
  readonly failure: 'denied' | 'failed' | undefined
}

/** The position of this device, once, when it is asked for. */
export function usePosition(onFound: (point: Point) => void): PositionAsker {
  const [state, setState] = useState<{ readonly isAsking: boolean; readonly failure?: 'denied' | 'failed' }>({
    isAsking: false,
  })
  const ask = (): void => {
    const geolocation = devicePosition()
    if (geolocation === undefined) {
      setState({ isAsking: false, failure: 'failed' })
      return
    }
    setState({ isAsking: true })
    geolocation.getCurrentPosition(
      ({ coords }) => {
        setState({ isAsking: false })
        onFound({ lat: coords.latitude, lng: coords.longitude })
      },
      ({ code, PERMISSION_DENIED }) => {
        setState({ isAsking: false, failure: code === PERMISSION_DENIED ? 'denied' : 'failed' })
      },
      { enableHighAccuracy: false, timeout: patienceMs, maximumAge: oldEnoughMs },
    )
  }
  return { ask, isAsking: state.isAsking, failure: state.failure }
}
