import { useEffect, useRef, type RefObject } from 'react'
import { useRouterState } from '@tanstack/react-router'

/** For the heading that an address may lead to; also when the address was opened with it and the heading came later. */
export function useAnchor(id: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const hash = useRouterState({ select: ({ location }) => location.hash })
  useEffect(() => {
    if (hash === id) heading.current?.focus()
  }, [hash, id])
  return heading
}
