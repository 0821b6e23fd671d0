import type { ReactNode } from 'react'
import { useRead } from '../../lib/market.tsx'
import { AskToShow } from './ask-to-show.tsx'
import { AnswerAsk } from './answer-ask.tsx'

type MayShowProps = { readonly taskId: string; readonly side: 'publisher' | 'worker' }

/** Of a task that is paid: whether its work is on the profile of its worker, and what the reader can do about it. */
export function MayShow({ taskId, side }: MayShowProps): ReactNode {
  const { data } = useRead('portfolio.read', { task_id: taskId })
  // Whether it is shown is nothing that the page is about: what cannot be read is left out.
  if (data === undefined) return null
  return side === 'worker' ? <AskToShow piece={data} /> : <AnswerAsk piece={data} />
}
