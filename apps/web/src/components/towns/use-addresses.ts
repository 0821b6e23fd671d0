import { useEffect, useState } from 'react'
import type { Output } from '@ergon/sdk'
import { useSpeech } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'

export type FoundAddress = Output<'places.find'>['places'][number]
export type Addresses = {
  /** Whether this service looks addresses up at all. */
  readonly areOffered: boolean
  readonly state: 'none' | 'asking' | 'failed' | 'here'
  readonly found: readonly FoundAddress[]
  /** Whose data they are. */
  readonly attribution: string
}

/** A person who types stops for as long between two words. */
const restMs = 400
const shortest = 3
const longest = 200
const nothing: readonly FoundAddress[] = []

/** Addresses for what is typed, once nothing more is typed; whoever types on calls back what was asked before. */
export function useAddresses(typed: string): Addresses {
  const { language } = useSpeech()
  const text = typed.trim().slice(0, longest)
  const { data: config } = useRead('service.config', {}, { staleTime: 600_000 })
  const areOffered = config?.features.places === true
  const rested = useRested(text)
  const isMeant = areOffered && text.length >= shortest
  const isAsked = isMeant && rested === text
  const { data, error } = useRead('places.find', { q: rested, language }, { enabled: isAsked, staleTime: 600_000 })
  const here = isAsked ? data : undefined
  return {
    areOffered,
    state: here !== undefined ? 'here' : !isMeant ? 'none' : isAsked && error !== null ? 'failed' : 'asking',
    found: here?.places ?? nothing,
    attribution: here?.attribution ?? '',
  }
}

/** A text as it was when it last rested. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => {
      setRested(text)
    }, restMs)
    return () => {
      clearTimeout(timer)
    }
  }, [text])
  return rested
}
