import { useEffect, useEffectEvent, useState } from 'react'
import { devicePosition } from '../../lib/device-position.ts'
import { positionOf, qualityOf, type Fix, type Position, type Quality } from './position-quality.ts'

export type PositionWatch = {
  readonly isOn: boolean
  readonly fault: 'deniedPosition' | 'noPosition' | undefined
  readonly quality: Quality
  /** The best so far of what is being taken. */
  readonly found: Position | undefined
  readonly start: () => void
  readonly stop: () => void
}

/** Several fixes over some seconds. It ends by itself once they are good; who is in a hurry takes what there is. */
export function usePositionWatch(
  kept: Position | undefined,
  radius: number | null,
  onPosition: (position: Position) => void,
): PositionWatch {
  const [isOn, setOn] = useState(false)
  const [fixes, setFixes] = useState<readonly Fix[]>([])
  const [fault, setFault] = useState<'deniedPosition' | 'noPosition'>()
  const take = useEffectEvent((known: readonly Fix[]) => {
    setFixes(known)
    const found = positionOf(known)
    if (found === undefined || qualityOf(known, radius).word !== 'good') return
    setOn(false)
    onPosition(found)
  })
  useEffect(() => {
    if (!isOn) return
    let known: readonly Fix[] = []
    const device = devicePosition()
    if (device === undefined) return
    const watch = device.watchPosition(
      ({ coords, timestamp }) => {
        setFault(undefined)
        known = [
          ...known,
          {
            lat: coords.latitude,
            lng: coords.longitude,
            accuracy_meters: Math.min(coords.accuracy, 100_000),
            timestamp: new Date(timestamp).toISOString(),
          },
        ]
        take(known)
      },
      ({ code }) => {
        setFault(code === 1 ? 'deniedPosition' : 'noPosition')
        if (code === 1) setOn(false)
      },
      { enableHighAccuracy: true, maximumAge: 0, timeout: 20_000 },
    )
    return () => {
      device.clearWatch(watch)
    }
  }, [isOn])
  return {
    isOn,
    fault,
    quality: qualityOf(isOn ? fixes : (kept?.samples ?? fixes), radius),
    found: positionOf(fixes),
    start() {
      setFixes([])
      if (devicePosition() === undefined) setFault('noPosition')
      else setOn(true)
    },
    stop() {
      setOn(false)
    },
  }
}
