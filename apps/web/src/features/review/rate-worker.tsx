import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextAreaField, TextField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { faultsOf, type FieldFaults } from '../../lib/form.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { reviewMessages } from './messages.ts'

/** A rating after the payment; whether it was given before, the service knows and says. */
export function RateWorker({ taskId }: { readonly taskId: string }): ReactNode {
  const say = useMessages(reviewMessages)
  const [score, setScore] = useState('')
  const [comment, setComment] = useState('')
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const rate = useChange('reputation.rateWorker', ['reputation.feedback', 'workers.reputation'])
  if (rate.data !== undefined) return <Note tone={rate.data.success ? 'good' : 'brand'} role="status" title={say(rate.data.success ? 'rated' : 'rating')} />
  const send = (event: FormEvent): void => {
    event.preventDefault()
    const given = { task_id: taskId, ...(comment.trim() === '' ? {} : { comment: comment.trim() }) }
    const input = { ...given, score: Number(score) }
    const found = faultsOf('reputation.rateWorker', score.trim() === '' ? given : input)
    setFaults(found)
    if (Object.keys(found).length === 0) rate.mutate(input)
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-3 border-t border-line pt-3">
      <h3>{say('rate')}</h3>
      <TextField label={say('ratingScore')} type="number" inputMode="numeric" min={0} max={100} value={score} onChange={(event) => { setScore(event.target.value) }} error={faultOf('score')} />
      <TextAreaField label={say('comment')} rows={3} value={comment} onChange={(event) => { setComment(event.target.value) }} error={faultOf('comment')} />
      {rate.error !== null && <Failure error={rate.error} />}
      <Button type="submit" busy={rate.isPending}>{say('rateSend')}</Button>
    </form>
  )
}
