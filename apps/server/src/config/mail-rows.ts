/** Settings of mail, rows of the settings page. */
export const mailRows = [
  {
    name: 'SVC_MAIL_URL',
    default: 'none: no notices are mailed',
    says: 'Where mail is handed over: smtps://user:password@host, or smtp:// which is upgraded to TLS (STARTTLS) or fails; plain on this machine alone.',
    secret: true,
  },
  { name: 'SVC_MAIL_URL_FILE', default: 'none', says: 'A file with it, instead of SVC_MAIL_URL.' },
  {
    name: 'SVC_MAIL_FROM',
    default: 'required with SVC_MAIL_URL',
    says: 'The address that mails come from, such as notices@market.example.',
  },
  {
    name: 'SVC_MAIL_PER_HOUR',
    default: '500',
    says: 'Notices mailed in an hour in all, and a quarter as many confirmations beside them.',
  },
] as const
