import type { ReactNode } from 'react'
import type { LinkComponentProps } from '@tanstack/react-router'
import { useMessages } from '../lib/i18n.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { LinkButton } from './button.tsx'

type PagerProps = {
  readonly previous: LinkComponentProps<'a'> | undefined
  readonly next: LinkComponentProps<'a'> | undefined
}

/** To the pages before and behind; each page has its own address. */
export function Pager({ previous, next }: PagerProps): ReactNode {
  const say = useMessages(commonMessages)
  if (previous === undefined && next === undefined) return null
  return (
    <nav className="flex gap-3">
      {previous !== undefined && <LinkButton {...previous}>{say('back')}</LinkButton>}
      {next !== undefined && <LinkButton {...next}>{say('next')}</LinkButton>}
    </nav>
  )
}
