import type { ReactNode } from 'react'
import type { Input } from '@ergon/sdk'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { Listing } from './listing-card.tsx'
import { ListingForm } from './listing-form.tsx'
import { listingMessages } from './messages.ts'
import type { Manage } from './use-manage-listings.ts'

type NewProps = { readonly open: boolean; readonly manage: Manage; readonly onClose: () => void }

/** A service that is offered for the first time. */
export function NewListingDialog({ open, manage, onClose }: NewProps): ReactNode {
  const say = useMessages(listingMessages)
  const format = useFormat()
  return (
    <Dialog open={open} title={say('createTitle')} onClose={onClose}>
      {manage.error !== undefined && <Failure error={manage.error} />}
      <ListingForm
        busy={manage.busy === 'new'}
        onClose={onClose}
        send={(fields, forget) => {
          // `faultsOf` held the fields against the schema of the operation.
          const checked = fields as Input<'listings.create'>
          manage.create(
            say('createIntent', { title: checked.title, amount: format.usd(checked.unit_price_usd) }),
            checked,
            () => {
              forget()
              onClose()
            },
          )
        }}
      />
    </Dialog>
  )
}

type EditProps = { readonly listing: Listing | undefined; readonly manage: Manage; readonly onClose: () => void }

/** The terms of a service that is offered already. */
export function EditListingDialog({ listing, manage, onClose }: EditProps): ReactNode {
  const say = useMessages(listingMessages)
  return (
    <Dialog open={listing !== undefined} title={say('editTitle')} onClose={onClose}>
      {manage.error !== undefined && <Failure error={manage.error} />}
      {listing !== undefined && (
        <ListingForm
          key={listing.id}
          listing={listing}
          busy={manage.busy === listing.id}
          onClose={onClose}
          send={(fields, forget) => {
            // As above.
            manage.update(say('editIntent', { title: listing.title }), fields as Input<'listings.update'>, () => {
              forget()
              onClose()
            })
          }}
        />
      )}
    </Dialog>
  )
}
