import { useState, type ReactNode } from 'react'
import { ErgonError } from '@ergon/sdk'
import { forgetAdminKey, keepAdminKey } from '../lib/admin-key.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useAdminKey, useOperatorRead } from '../lib/operator.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'
import { TextField } from './field.tsx'
import { operatorMessages } from './operator-messages.ts'
import { Card, Loading } from './surface.tsx'

// A key travels in a header, and a header carries Latin-1 alone: what it cannot carry is no key of any service.
const unsendable = /[^\u0020-\u007e\u00a0-\u00ff]/

/** Shows what only the operator sees, once the service has taken the key of the deployment; otherwise asks for it. */
export function OperatorGate({ children }: { readonly children: ReactNode }): ReactNode {
  const say = useMessages(operatorMessages)
  const common = useMessages(commonMessages)
  const adminKey = useAdminKey()
  // The smallest read that the key alone opens: nothing is shown before the service has said yes.
  const probe = useOperatorRead('admin.audit', { limit: 1 })
  if (adminKey === undefined) return <KeyForm />
  if (probe.data !== undefined)
    return (
      <div className="grid gap-6">
        {children}
        <div>
          <Button kind="quiet" onClick={forgetAdminKey}>
            {say('forget')}
          </Button>
        </div>
      </div>
    )
  if (probe.error instanceof ErgonError && probe.error.is('INVALID_API_KEY')) return <KeyForm wrong />
  if (probe.error !== null)
    return (
      <div className="grid gap-4">
        <Failure
          error={probe.error}
          retry={() => {
            void probe.refetch()
          }}
        />
        <div>
          <Button kind="quiet" onClick={forgetAdminKey}>
            {say('forget')}
          </Button>
        </div>
      </div>
    )
  return <Loading says={common('loading')} />
}

function KeyForm({ wrong = false }: { readonly wrong?: boolean }): ReactNode {
  const say = useMessages(operatorMessages)
  const [typed, setTyped] = useState('')
  const [isTried, setIsTried] = useState(wrong)
  const [isWrong, setIsWrong] = useState(wrong)
  const error = isTried && typed === '' ? say(isWrong ? 'wrong' : 'empty') : undefined
  return (
    <Card as="section" className="grid max-w-xl gap-4">
      <h2>{say('keyTitle')}</h2>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setIsTried(true)
          if (unsendable.test(typed)) {
            setIsWrong(true)
            setTyped('')
          } else if (typed !== '') keepAdminKey(typed)
        }}
      >
        <TextField
          label={say('key')}
          hint={say('keyHelp')}
          error={error}
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
          }}
        />
        <div>
          <Button type="submit" kind="primary">
            {say('open')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
