import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { isOpen, type Grant } from './cap-words.ts'
import { toolMessages } from './messages.ts'

const stale = ['grants.list', 'grants.log'] as const

/** Asks once more before a tool loses what it was allowed; undefined: no tool of this page is meant. */
export function EndDialog({
  grant,
  open,
  onClose,
}: {
  readonly grant: Grant | undefined
  readonly open: boolean
  readonly onClose: () => void
}): ReactNode {
  const say = useMessages(toolMessages)
  const tell = useToast()
  const end = useChange('grants.revoke', stale)
  // While it is being ended the list may know already.
  const isMeant = grant !== undefined && (isOpen(grant) || end.isPending)
  return (
    <Dialog
      open={open}
      title={isMeant ? say('endTitle', { name: grant.client_name }) : say('overNow')}
      onClose={onClose}
    >
      {isMeant && (
        <Question
          says={grant.approvals === null ? [say('endSays')] : [say('endSays'), say('endPays')]}
          verb={say('end')}
          busy={end.isPending}
          error={end.error}
          onClose={onClose}
          onYes={() => {
            end.mutate(
              { grant_id: grant.grant_id },
              {
                onSuccess: () => {
                  tell(say('endedNow', { name: grant.client_name }))
                  onClose()
                },
              },
            )
          }}
        />
      )}
      {!isMeant && <Closing onClose={onClose} />}
    </Dialog>
  )
}

/** The same for all of them. */
export function EndAllDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }): ReactNode {
  const say = useMessages(toolMessages)
  const tell = useToast()
  const end = useChange('grants.revokeAll', stale)
  return (
    <Dialog open={open} title={say('endAllTitle')} onClose={onClose}>
      <Question
        says={[say('endAllSays'), say('endPays')]}
        verb={say('endAll')}
        busy={end.isPending}
        error={end.error}
        onClose={onClose}
        onYes={() => {
          end.mutate(
            {},
            {
              onSuccess: ({ revoked }) => {
                tell(say('endedAllNow', { n: revoked }))
                onClose()
              },
            },
          )
        }}
      />
    </Dialog>
  )
}

type QuestionProps = {
  readonly says: readonly string[]
  readonly verb: string
  readonly busy: boolean
  readonly error: unknown
  readonly onClose: () => void
  readonly onYes: () => void
}

function Question({ says, verb, busy, error, onClose, onYes }: QuestionProps): ReactNode {
  const common = useMessages(commonMessages)
  return (
    <div className="grid gap-4">
      {says.map((one) => (
        <p key={one}>{one}</p>
      ))}
      {error !== null && <Failure error={error} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button kind="danger" busy={busy} onClick={onYes}>
          {verb}
        </Button>
      </div>
    </div>
  )
}

function Closing({ onClose }: { readonly onClose: () => void }): ReactNode {
  const common = useMessages(commonMessages)
  return (
    <div className="flex justify-end">
      <Button onClick={onClose}>{common('close')}</Button>
    </div>
  )
}
