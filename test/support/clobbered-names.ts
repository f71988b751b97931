/** Names that a field of a form may have, and that then stand for what a script would ask of the form (TRUST A5). */
export const clobberedNames =
  'nodeType nodeName parentNode firstChild nextSibling childNodes attributes id children ownerDocument isConnected getAttribute matches getBoundingClientRect elements submit focus scrollIntoView dispatchEvent requestSubmit addEventListener'.split(
    ' ',
  )
