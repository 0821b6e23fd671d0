import { lazy, Suspense, type ReactNode } from 'react'
import type { EvidenceType } from '@ergon/contract'
import { Card } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useIsWide } from '../../lib/use-is-wide.ts'
import { isOfThisMachine } from '../../lib/phone-links.ts'
import { evidenceInputs } from './evidence-input.ts'
import { captureMessages } from './messages.ts'

// Only a desk draws it.
const CodePicture = lazy(async () => ({ default: (await import('../../components/code-picture.tsx')).CodePicture }))

/** At a desk: a code with the address of this page, and nothing of the session, where a phone is the better tool. */
export function GoOnWithPhone({ types }: { readonly types: readonly EvidenceType[] }): ReactNode {
  const say = useMessages(captureMessages)
  const isWide = useIsWide()
  const isForPhone = types.some((type) => ['camera', 'position'].includes(evidenceInputs[type]))
  if (!isWide || !isForPhone || isOfThisMachine(location.hostname)) return null
  return (
    <Card as="section" className="flex items-center gap-6">
      <Suspense fallback={<div className="size-40" />}>
        <div className="w-40 flex-none">
          <CodePicture text={`${location.origin}${location.pathname}`} label={say('phoneCode')} />
        </div>
      </Suspense>
      <div className="grid gap-2">
        <h2 className="text-card">{say('phone')}</h2>
        <p className="text-quiet">{say('phoneLead')}</p>
      </div>
    </Card>
  )
}
