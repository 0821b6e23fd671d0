export const tongues = ['en', 'es'] as const
export type Tongue = (typeof tongues)[number]

/** The tongue that was asked for in the address, or else the first of ours that the browser reads. */
export function tongueOf(asked: string | null, accepted: string | undefined): Tongue {
  const named = tongues.find((one) => one === asked)
  if (named !== undefined) return named
  const wanted = (accepted ?? '')
    .slice(0, 200)
    .split(',')
    .map((one) => one.trim().slice(0, 2).toLowerCase())
  for (const one of wanted) {
    const found = tongues.find((tongue) => tongue === one)
    if (found !== undefined) return found
  }
  return 'en'
}

export type Words = typeof en

const en = {
  title: 'Connect a tool',
  asks: 'asks to act for your wallet',
  client: 'Tool',
  clientHost: 'Vouched for by',
  unverified: 'nobody: the tool chose this name itself',
  redirect: 'The answer goes to',
  loopback:
    'The answer goes to a program on your own machine. Go on only if you have just started that program yourself.',
  lasts: 'A connection lasts until you take it back; each token lives for an hour.',
  wallet: 'Your wallet',
  address: 'Address of the wallet',
  addressHint: 'Begins with 0x. It has to sign the next text.',
  chain: 'Network of the account',
  remembered:
    'This browser proved this wallet for this tool within seven days; no signature is needed for basic permissions.',
  useWallet: 'Use',
  signWith: 'Sign with',
  otherWallet: 'the wallet of this browser',
  walletRefused: 'The wallet did not do it. Try again, or paste the signature.',
  may: 'What the tool may do',
  scopes: {
    'task:read': ['Read your tasks', 'with their applications and submissions'],
    'task:write': ['Edit your tasks and assign workers', 'the money of an assignment is still signed by you'],
    'task:cancel': ['Cancel your tasks', 'held money goes back to you'],
    'worker:apply': ['Apply to tasks for you', ''],
    'agent:publish': ['Publish tasks and listings for you', ''],
  } as Readonly<Record<string, readonly [string, string]>>,
  never: 'Never allowed to a tool, though it asked:',
  approveTitle: 'Releasing money',
  approve: 'Let the tool approve work and release the held money',
  approveHint: 'For 15 minutes, within both limits. They are part of the text that you sign.',
  usd: 'At most, in USD, for one approval (up to 100.00)',
  count: 'At most so many approvals (up to 50)',
  goOn: 'Continue',
  allow: 'Allow',
  deny: 'Do not allow',
  signTitle: 'Sign this text',
  signHint: 'Sign it with your wallet, letter by letter (personal_sign). It moves no money and costs no gas.',
  signature: 'Signature',
  signatureHint: 'Begins with 0x.',
  deliver: 'Hand in the signature',
  elsewhere: 'Signing on another device',
  scanHint:
    'Scan this with the wallet app on your phone, or open the address in the browser of that app. It is for this sign-in alone, and ends with it after ten minutes.',
  scanLocal: 'This service runs on this machine alone: a phone does not reach it.',
  scanLabel: 'Code with the address for another device',
  scanAddress: 'The address in the code',
  programs: 'For programs',
  elsewhereHint: 'A wallet elsewhere can deliver the signature itself: POST this with the field signature added.',
  begunElsewhere:
    'Another browser began this sign-in, and goes on after you sign. Sign only if that browser is yours and shows it now.',
  walletBrowser: 'No button for your wallet? Open this page in the browser of your wallet app, or paste a signature.',
  signedElsewhere: 'Nothing is left to do here. Go back to the browser that began: it goes on from there.',
  check: 'Look whether it has arrived',
  back: 'Back to the choice',
  orderTitle: 'Sign the standing order',
  orderHint:
    'You allowed approvals. With this second signature (eth_signTypedData_v4) the tool also releases the held money by itself, to whom you locked it for. Signing costs no gas.',
  orderBounds: 'At most:',
  without: 'Continue without it',
  withoutHint: 'Without it the tool asks your wallet to sign each release.',
  signedTitle: 'Signed',
  signedBy: 'Signed by',
  signedHint: 'Go on only if you signed this yourself.',
  carryOn: 'Continue to',
  deniedTitle: 'Not allowed',
  deniedHint: 'Nothing was allowed. The tool is told so.',
  finishedTitle: 'Done',
  finishedHint: 'This sign-in is finished. You can close this page.',
  goneTitle: 'This sign-in is not here',
  goneHint:
    'It is over after ten minutes, or it began in another browser, or cookies are blocked. Begin again in the tool.',
  goneElsewhere: 'It is over after ten minutes, or nothing was to be signed. Begin again in the tool.',
  wrongTitle: 'This request cannot be answered',
  wrongHint: 'Nothing was sent to the tool. Tell its maker:',
  busyTitle: 'Too much at once',
  busyHint: 'Wait a minute and try again.',
  faults: {
    address: 'The address is not one: it has 40 hexadecimal digits after 0x.',
    usd: 'The most for one approval must be between 0.01 and 100.00 USD.',
    count: 'The number of approvals must be between 1 and 50.',
    signature_mismatch: 'This wallet did not sign this text. Sign exactly the text below and hand it in again.',
    stale: 'That choice is not good any more. Choose again.',
  },
}

const es: Words = {
  title: 'Conectar una herramienta',
  asks: 'pide actuar por tu monedero',
  client: 'Herramienta',
  clientHost: 'Responde por ella',
  unverified: 'nadie: la herramienta eligió este nombre',
  redirect: 'La respuesta va a',
  loopback:
    'La respuesta va a un programa de tu propio equipo. Continúa solo si acabas de iniciar ese programa tú mismo.',
  lasts: 'Una conexión dura hasta que la retires; cada credencial vive una hora.',
  wallet: 'Tu monedero',
  address: 'Dirección del monedero',
  addressHint: 'Empieza por 0x. Tiene que firmar el texto siguiente.',
  chain: 'Red de la cuenta',
  remembered:
    'Este navegador probó este monedero para esta herramienta hace menos de siete días; los permisos básicos no piden firma.',
  useWallet: 'Usar',
  signWith: 'Firmar con',
  otherWallet: 'el monedero de este navegador',
  walletRefused: 'El monedero no lo hizo. Inténtalo de nuevo o pega la firma.',
  may: 'Qué puede hacer la herramienta',
  scopes: {
    'task:read': ['Leer tus tareas', 'con sus candidaturas y entregas'],
    'task:write': ['Editar tus tareas y asignar trabajadores', 'el dinero de una asignación lo sigues firmando tú'],
    'task:cancel': ['Cancelar tus tareas', 'el dinero retenido vuelve a ti'],
    'worker:apply': ['Presentarse a tareas por ti', ''],
    'agent:publish': ['Publicar tareas y anuncios por ti', ''],
  },
  never: 'Nunca se permite a una herramienta, aunque lo pidió:',
  approveTitle: 'Liberar dinero',
  approve: 'Permitir que la herramienta apruebe trabajo y libere el dinero retenido',
  approveHint: 'Durante 15 minutos, dentro de ambos límites. Forman parte del texto que firmas.',
  usd: 'Como máximo, en USD, por aprobación (hasta 100.00)',
  count: 'Como máximo tantas aprobaciones (hasta 50)',
  goOn: 'Continuar',
  allow: 'Permitir',
  deny: 'No permitir',
  signTitle: 'Firma este texto',
  signHint: 'Fírmalo con tu monedero, letra por letra (personal_sign). No mueve dinero ni cuesta gas.',
  signature: 'Firma',
  signatureHint: 'Empieza por 0x.',
  deliver: 'Entregar la firma',
  elsewhere: 'Firmar en otro dispositivo',
  scanHint:
    'Escanéalo con la aplicación de monedero de tu teléfono, o abre la dirección en el navegador de esa aplicación. Es solo para este acceso y termina con él a los diez minutos.',
  scanLocal: 'Este servicio funciona solo en este equipo: un teléfono no llega a él.',
  scanLabel: 'Código con la dirección para otro dispositivo',
  scanAddress: 'La dirección del código',
  programs: 'Para programas',
  elsewhereHint:
    'Un monedero en otro lugar puede entregar la firma él mismo: envía esto con POST y el campo signature añadido.',
  begunElsewhere:
    'Otro navegador empezó este acceso y continúa cuando firmes. Firma solo si ese navegador es tuyo y lo muestra ahora.',
  walletBrowser:
    '¿No hay botón para tu monedero? Abre esta página en el navegador de tu aplicación de monedero o pega una firma.',
  signedElsewhere: 'Aquí no queda nada por hacer. Vuelve al navegador que empezó: continúa desde allí.',
  check: 'Mirar si ha llegado',
  back: 'Volver a la elección',
  orderTitle: 'Firma la orden permanente',
  orderHint:
    'Has permitido aprobaciones. Con esta segunda firma (eth_signTypedData_v4) la herramienta también libera por sí misma el dinero retenido, para quien lo reservaste. Firmar no cuesta gas.',
  orderBounds: 'Como máximo:',
  without: 'Continuar sin ella',
  withoutHint: 'Sin ella, la herramienta pide a tu monedero que firme cada liberación.',
  signedTitle: 'Firmado',
  signedBy: 'Firmado por',
  signedHint: 'Continúa solo si lo has firmado tú.',
  carryOn: 'Continuar a',
  deniedTitle: 'No permitido',
  deniedHint: 'No se permitió nada. La herramienta lo sabrá.',
  finishedTitle: 'Hecho',
  finishedHint: 'Este acceso ha terminado. Puedes cerrar esta página.',
  goneTitle: 'Este acceso no está aquí',
  goneHint:
    'Termina a los diez minutos, o empezó en otro navegador, o las cookies están bloqueadas. Empieza de nuevo en la herramienta.',
  goneElsewhere: 'Termina a los diez minutos, o no había nada que firmar. Empieza de nuevo en la herramienta.',
  wrongTitle: 'Esta petición no se puede atender',
  wrongHint: 'No se envió nada a la herramienta. Díselo a quien la hace:',
  busyTitle: 'Demasiado a la vez',
  busyHint: 'Espera un minuto e inténtalo de nuevo.',
  faults: {
    address: 'La dirección no lo es: tiene 40 cifras hexadecimales tras 0x.',
    usd: 'El máximo por aprobación debe estar entre 0.01 y 100.00 USD.',
    count: 'El número de aprobaciones debe estar entre 1 y 50.',
    signature_mismatch: 'Este monedero no firmó este texto. Firma exactamente el texto de abajo y entrégalo de nuevo.',
    stale: 'Esa elección ya no vale. Elige de nuevo.',
  },
}

export const words: Readonly<Record<Tongue, Words>> = { en, es }
export type PageFault = keyof Words['faults']
