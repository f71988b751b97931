/** Names of form fields that shadow properties and methods of the form element (TRUST A5). */
export const clobberedNames =
  'nodeType nodeName parentNode firstChild nextSibling childNodes attributes id children ownerDocument isConnected getAttribute matches getBoundingClientRect elements submit focus scrollIntoView dispatchEvent requestSubmit addEventListener'.split(
    ' ',
  )
