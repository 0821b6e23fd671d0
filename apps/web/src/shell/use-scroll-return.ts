import { useEffect, useRef } from 'react'
import { useElementScrollRestoration, useRouter, useRouterState } from '@tanstack/react-router'

const mostMs = 20_000
const restMs = 1_000
const touched = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Back on a screen, or after a reload, the reader is where they were, although what fills the screen comes after it is
 * drawn.
 */
export function useScrollReturn(): void {
  const { history } = useRouter()
  const key = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.__TSR_key })
  const kept = useElementScrollRestoration({ getElement: () => window })?.scrollY
  const entered = useRef('LOAD')
  useEffect(
    () =>
      history.subscribe(({ action }) => {
        entered.current = action.type
      }),
    [history],
  )
  const top = useRef(kept)
  useEffect(() => {
    top.current = kept
  })
  useEffect(() => {
    const isNew = entered.current === 'PUSH' || entered.current === 'REPLACE'
    return key === undefined || isNew || top.current === undefined ? undefined : holdAt(top.current)
  }, [key])
}

/** Scrolls to `top` as the page grows, until it has been there and still for a moment, or the reader does something. */
function holdAt(top: number): () => void {
  let rest = setTimeout(end, mostMs)
  const latest = performance.now() + mostMs
  const watched = new ResizeObserver(() => {
    window.scrollTo({ top, behavior: 'instant' })
    clearTimeout(rest)
    rest = setTimeout(end, Math.abs(window.scrollY - top) < 1 ? restMs : latest - performance.now())
  })
  watched.observe(document.body)
  for (const event of touched) window.addEventListener(event, end, { passive: true, capture: true })
  function end(): void {
    clearTimeout(rest)
    watched.disconnect()
    for (const event of touched) window.removeEventListener(event, end, { capture: true })
  }
  return end
}
