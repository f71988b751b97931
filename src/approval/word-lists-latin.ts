import type { LanguageWords } from './word-lists.ts'

const english: LanguageWords = {
  language: 'English',
  isSpaced: true,
  isAccented: true,
  pay: `
    pay, paynow, buy, buynow, purchase, place order, place your order, place my order, place an order, order now, submit order, confirm order,
    complete order, send order, complete purchase, complete payment, finish payment, confirm purchase, confirm payment, make payment, make a payment, submit payment,
    authorize payment, authorise payment, book now, confirm booking, confirm reservation, reserve now, subscribe, start subscription,
    donate, transfer, send money, wire funds, wire money, wire transfer, withdraw funds, top up, place bid, bid now, place bet, upgrade now,
    start trial, start free trial, rent now, withdraw, renew now, renew for,
    renew subscription, renew membership, renew plan, =renew, sell all, sell shares, sell now, sell all shares, trade now, invest now, deposit,
    =sell, swap now, tip now, send tip, redeem, settle up, settle balance, add funds, add credit, pledge, back this project, hire now, place trade,
    upgrade to, =upgrade, =order, one click order, 1 click order, order with one click, continue to payment, proceed to payment, go to payment,
    charge card, charge the card, charge my card, charge customer, =refund, refund now, issue refund, send refund, refund order, refund payment,
    refund customer, =repay, repay now, repay loan, =bid, =bet, ^stake, =swap, swap tokens, =mint, mint now, mint nft, mint nfts, mint token, mint tokens`,
  delete: `
    delete, remove, erase, destroy, wipe, trash, move to trash, move to bin, empty trash, empty bin, clear all, clear history, clear data,
    discard, deactivate, terminate, close account, close my account, cancel order, cancel my order, cancel subscription, cancel booking,
    cancel reservation, cancel membership, cancel account, cancel plan, cancel trip, end subscription, end membership, unsubscribe, revoke,
    uninstall, ^archive, factory reset, reset all, reset account, permanently delete, permanently remove, drop database, drop table,
    drop collection, drop index, ^truncate, ^purge, ^ban, ban user, block user, ^kick, kick out, ^suspend, disconnect account, leave team,
    leave group, leave organization, shut down, shutdown, force push, rollback, roll back, overwrite, unpublish, ^void, expel, evict, disband,
    drop tables, cannot be undone, cant be undone, unlink, disable 2fa, disable mfa, disable two factor, turn off 2fa, turn off two factor,
    rotate key, rotate keys, rotate api key, rotate api keys, rotate secret, rotate secrets, rotate token, rotate tokens, rotate credentials, stop instance, stop server,
    stop service, stop container, stop machine, log out everywhere, sign out everywhere, log out of all, sign out of all, log out all, sign out all`,
  submit: `
    publish, ^post, post comment, post reply, post review, post now, post it, send, submit, ^tweet, ^reply, reply now, sign up, signup, register, create account, apply now, apply for, authorize,
    authorise, grant access, allow access, give access, approve, sign and send, sign document, sign contract, sign agreement, invite,
    share publicly, go live, deploy, merge pull request, ^release, send message, send email, confirm, accept offer, accept order,
    accept request, accept invitation, accept invite, accept bid, accept quote, accept and, accept charges, accept contract, make public,
    make repository public, change visibility, transfer ownership, make admin, make owner, report user, report post, file claim, file report,
    file a claim, broadcast, retweet, repost, enroll, enrol, enlist, rsvp, ^vote, vote now, cast vote, cast ballot,
    schedule post, checkout, =check out, check out now, proceed to check out, check out with, launch campaign, start campaign, =launch, ^merge, ^reject, decline offer, resign, finalize, finalise, =proceed,
    reset password, reboot, restart server, restart instance, restart service, restart container, restart machine`,
  download: 'download, export, save as',
  confirm: `
    ok, okay, yes, yeah, yep, continue, confirm, proceed, go ahead, go on, accept, agree, i agree, i understand, i am sure, im sure, sure, do it,
    allow, yes please, yes continue, yes im sure, yes i am sure, continue anyway, proceed anyway`,
  not: {
    pay: `
      pay attention, pay slip, pay slips, pay stub, pay stubs, pay grade, how to pay, ways to pay, pay scale, pay pal,
      why buy, buy list, best buy, buy guide, how to buy, where to buy, purchase history, purchase orders, purchase order, transfer history,
      subscribe to newsletter, transfer files, file transfer, customers also buy, security deposit, transfer student, transfer students, knowledge transfer, transfer learning,
      donate page, wire transfer instructions`,
    delete: `
      remove filter, remove filters, remove tag filter, remove highlight, remove formatting, remove all filters, delete key,
      clear all filters, trash can, internet archive, archive of, news archive, do not delete, recently deleted, travel ban, kick off,
      kick start, void fill, archive org, web archive`,
    submit: `
      post office, blog post, next post, previous post, post code, posted, view post, read post, older post, latest post, cash register,
      send feedback to, release notes, release date, reply count, by post, top post, this post, post title, confirm password,
      how to apply, press release, sent items, send later options, see release, new release, latest release, release history,
      original post, share post, post by, post from, merge cells, apply for all, washington post, huffington post, post hog, post gre sql,
      vote count, hot post, pinned post, accept and continue, agree and continue, confirm my choices, confirm choices, git checkout, checkout branch,
      checkout the, check out the, check out our, check out my,
      check out more, check out this, check out these, check out how, check out date, check out time, checkout date, checkout time, go to checkout, go to the checkout, back to checkout, return to checkout,
      check in check out`,
    download: `
      download history, download center, download centre, download page, about the download, export control, export policy`,
  },
}

const spanish: LanguageWords = {
  language: 'Spanish',
  isSpaced: true,
  pay: `
    pagar, paga ahora, pague, pagar ahora, comprar, compra ahora, compre ahora, realizar pedido, hacer pedido, hacer el pedido, confirmar pedido,
    confirmar compra, confirmar pago, finalizar compra, finalizar pedido, finalizar la compra, tramitar pedido, realizar pago, realizar el pago,
    suscribirse, suscribirme, suscribete, donar, dona ahora, transferir, enviar dinero, recargar, reservar, reserva ahora, contratar, pujar, apostar,
    adquirir, encargar, abonar, depositar, renovar, canjear`,
  delete: `
    eliminar, ^elimina, elimine, borrar, borra, quitar, suprimir, vaciar, destruir, descartar, desactivar, cancelar pedido, cancelar suscripcion,
    cancelar reserva, cancelar la suscripcion, cancelar cuenta, cerrar cuenta, cerrar mi cuenta, dar de baja, darse de baja, darme de baja, desinstalar,
    revocar, archivar, anular, expulsar, bloquear usuario, no se puede deshacer`,
  submit: `
    enviar, ^envia, envie, publicar, ^publica, publique, registrarse, registrarme, registrate, crear cuenta, crear una cuenta, autorizar, aprobar,
    firmar, invitar, responder, confirmar, presentar, solicitar, inscribirse, inscribirme, postular, comentar, aceptar oferta, aceptar solicitud,
    rechazar, votar, mandar, remitir, compartir publicamente`,
  download: 'descargar, descarga, exportar, guardar como',
  confirm: 'si, aceptar, acepto, continuar, confirmar, de acuerdo, vale, seguir, estoy seguro, si continuar, proceder',
  not: {
    submit: 'confirmar contrasena',
    delete: 'eliminar filtros, borrar filtros, quitar filtros, eliminar filtro, quitar filtro, borrar filtro',
  },
}

const french: LanguageWords = {
  language: 'French',
  isSpaced: true,
  pay: `
    payer, payez, acheter, achetez, commander, commandez, passer commande, passer la commande, valider la commande, valider ma commande,
    valider commande, finaliser la commande, finaliser ma commande, confirmer la commande, confirmer lachat, confirmer le paiement,
    proceder au paiement, regler, reserver, reservez, sabonner, abonnez vous, mabonner, faire un don, donner maintenant, virer, effectuer un virement,
    envoyer de largent, recharger, souscrire, encherir, parier, valider et payer, renouveler, verser`,
  delete: `
    supprimer, supprimez, effacer, effacez, retirer, enlever, vider, detruire, jeter, desactiver, resilier, annuler la commande, annuler ma commande,
    annuler commande, annuler labonnement, annuler mon abonnement, annuler la reservation, fermer le compte, fermer mon compte, cloturer,
    se desabonner, me desabonner, desabonner, desinstaller, revoquer, archiver, bannir, exclure, irreversible`,
  submit: `
    envoyer, envoyez, publier, publiez, soumettre, sinscrire, minscrire, =inscription, inscrivez vous, creer un compte, creer mon compte,
    autoriser, approuver, signer, inviter, repondre, confirmer, postuler, commenter, accepter loffre, accepter la demande, refuser loffre,
    deposer, transmettre, voter, rejeter, demander, adresser`,
  download: 'telecharger, telechargez, exporter, enregistrer sous',
  confirm: 'oui, continuer, confirmer, accepter, jaccepte, daccord, valider, poursuivre, je confirme',
  not: {
    submit: 'confirmer le mot de passe',
    delete: 'supprimer le filtre, supprimer les filtres, effacer les filtres, vider les filtres',
  },
}

const german: LanguageWords = {
  language: 'German',
  isSpaced: true,
  pay: `
    zahlen, bezahlen, kaufen, jetzt kaufen, bestellen, zahlungspflichtig bestellen, kostenpflichtig bestellen, kostenpflichtig, zahlungspflichtig,
    bestellung abschicken, bestellung absenden, bestellung aufgeben, bestellung abschließen, bestellung bestatigen, kauf abschließen, kauf bestatigen,
    zahlung bestatigen, zur kasse, zur kasse gehen, buchen, jetzt buchen, reservieren, abonnieren, spenden, uberweisen, geld senden, aufladen,
    einzahlen, auszahlen, bieten, gebot abgeben, mieten, verlangern, einlosen, sofortkauf`,
  delete: `
    loschen, geloscht werden, entfernen, verwerfen, leeren, vernichten, deaktivieren, kundigen, stornieren, bestellung stornieren, abo kundigen,
    konto schließen, konto auflosen, abbestellen, abmelden vom newsletter, deinstallieren, widerrufen, archivieren, sperren, ausschließen,
    zurucksetzen, unwiderruflich, endgultig, nicht ruckgangig`,
  submit: `
    senden, absenden, abschicken, versenden, schicken, veroffentlichen, posten, registrieren, anmelden und, konto erstellen, autorisieren,
    genehmigen, freigeben, unterschreiben, unterzeichnen, einladen, antworten, bestatigen, bewerben, jetzt bewerben, einreichen, beantragen,
    kommentieren, angebot annehmen, anfrage annehmen, ablehnen, abstimmen, zustimmen und, ubermitteln, hochladen und senden`,
  download: 'herunterladen, downloaden, exportieren, speichern unter, runterladen',
  confirm: 'ja, weiter, fortfahren, bestatigen, akzeptieren, zustimmen, einverstanden, ok weiter, trotzdem fortfahren, ja fortfahren',
  not: { submit: 'passwort bestatigen', delete: 'filter loschen, filter entfernen, alle filter loschen, filter zurucksetzen' },
}

const portuguese: LanguageWords = {
  language: 'Portuguese',
  isSpaced: true,
  pay: `
    pagar, pagar agora, pague, comprar, comprar agora, compre, fazer pedido, finalizar pedido, finalizar compra, confirmar pedido, confirmar compra,
    confirmar pagamento, fechar pedido, realizar pagamento, efetuar pagamento, encomendar, assinar agora, assine, doar, transferir, enviar dinheiro,
    fazer um pix, recarregar, reservar, reserve ja, contratar, apostar, dar lance, depositar, sacar, renovar, resgatar`,
  delete: `
    excluir, exclua, apagar, apague, ^remover, eliminar, deletar, esvaziar, limpar historico, descartar, desativar, cancelar pedido, cancelar assinatura,
    cancelar reserva, cancelar conta, encerrar conta, fechar conta, desinstalar, revogar, arquivar, banir, anular, expulsar, bloquear usuario,
    nao pode ser desfeita, nao pode ser desfeito`,
  submit: `
    enviar, envie, publicar, publique, postar, cadastrar, cadastre se, registrar se, registar, inscrever se, criar conta, autorizar, aprovar, assinar documento,
    convidar, responder, confirmar, candidatar se, submeter, solicitar, comentar, aceitar oferta, aceitar pedido, recusar, votar, mandar, rejeitar`,
  download: 'baixar, descarregar, transferir ficheiro, exportar, salvar como, guardar como',
  confirm: 'sim, ok, continuar, confirmar, aceitar, aceito, concordo, prosseguir, avancar, tenho certeza',
  not: { submit: 'confirmar senha', delete: 'remover filtro, remover filtros, limpar filtros' },
}

const italian: LanguageWords = {
  language: 'Italian',
  isSpaced: true,
  pay: `
    pagare, paga, paga ora, paga adesso, acquista, acquistare, acquista ora, compra, compra ora, comprare, ordina, ordina ora, effettua ordine,
    invia ordine, invia lordine, conferma ordine, conferma lordine, conferma acquisto, conferma pagamento, procedi al pagamento, procedi allacquisto,
    vai alla cassa, concludi acquisto, concludi lacquisto, completa acquisto, completa lacquisto, prenota, prenota ora, abbonati, dona, dona ora, trasferisci, bonifico, invia denaro, ricarica, scommetti, fai unofferta,
    sottoscrivi, rinnova, preleva`,
  delete: `
    ^elimina, eliminare, ^cancella, cancellare, rimuovi, rimuovere, svuota, distruggi, scarta, disattiva, annulla ordine, annulla lordine,
    annulla abbonamento, annulla prenotazione, chiudi account, disdici, disiscriviti, disinstalla, revoca, archivia, espelli, blocca utente, irreversibile`,
  submit: `
    ^invia, inviare, ^pubblica, pubblicare, posta commento, registrati, iscriviti, crea account, crea un account, autorizza, approva, firma ora, firma documento, ^invita,
    rispondi, ^conferma, candidati, richiedi, commenta, accetta offerta, accetta richiesta, rifiuta, ^vota, inoltra, trasmetti`,
  download: 'scarica, scaricare, esporta, salva con nome',
  confirm: 'si, continua, conferma, accetta, accetto, va bene, procedi, daccordo, sono sicuro',
  not: { submit: 'conferma password', delete: 'rimuovi filtro, rimuovi filtri, cancella filtri, elimina filtri' },
}

const turkish: LanguageWords = {
  language: 'Turkish',
  isSpaced: true,
  isAccented: true,
  pay: `
    öde, ödeme yap, ödemeyi tamamla, ödemeyi onayla, satın al, hemen al, şimdi al, sipariş ver, siparişi onayla, siparişi tamamla, siparişi gönder,
    abone ol, bağış yap, bağışla, havale yap, para gönder, transfer et, rezervasyon yap, rezerve et, teklif ver, bakiye yükle, kirala, para yatır,
    para çek, yenile ve öde, alışverişi tamamla, ödemeye geç`,
  delete: `
    sil, silinecek, silinsin, kaldır, temizle, yok et, iptal et, siparişi iptal et, aboneliği iptal et, hesabı kapat, hesabımı kapat, hesabı sil,
    devre dışı bırak, boşalt, arşivle, engelle, yasakla, geri alınamaz, çıkar`,
  submit: `
    gönder, yayınla, paylaş, kaydol, üye ol, kayıt ol, hesap oluştur, yetkilendir, onayla, imzala, davet et, yanıtla, cevapla, başvur, yorum yap,
    teklifi kabul et, isteği kabul et, reddet, oy ver, ilet`,
  download: 'indir, dışa aktar, farklı kaydet',
  confirm: 'evet, tamam, devam, devam et, onayla, kabul et, kabul ediyorum, eminim',
  not: { delete: 'filtreyi temizle, filtreleri temizle, filtreyi kaldır' },
}

const dutch: LanguageWords = {
  language: 'Dutch',
  isSpaced: true,
  isAccented: true,
  pay: `
    betalen, betaal, betaal nu, kopen, koop nu, koop, bestellen, bestel, bestel nu, bestelling plaatsen, bestelling bevestigen, afrekenen, boeken, boek nu,
    reserveren, reserveer, abonneren, abonneer, doneren, doneer, overmaken, geld overmaken, opwaarderen, bieden, plaats bod, huren, verlengen`,
  delete: `
    verwijderen, verwijder, wissen, wis, leegmaken, vernietigen, annuleer bestelling, bestelling annuleren, abonnement opzeggen, opzeggen,
    account sluiten, deactiveren, uitschrijven, intrekken, archiveren, blokkeren, deinstalleren`,
  submit: `
    verzenden, verstuur, versturen, verzend, publiceren, publiceer, plaatsen, indienen, registreren, registreer, inschrijven, aanmelden, account aanmaken,
    autoriseren, goedkeuren, ondertekenen, uitnodigen, beantwoorden, reageren, bevestigen, bevestig, solliciteren, aanvragen, stemmen`,
  download: 'downloaden, exporteren, opslaan als',
  confirm: 'ja, doorgaan, verder, bevestigen, accepteren, akkoord',
  not: { delete: 'filters wissen, filter verwijderen, filters verwijderen', submit: 'wachtwoord bevestigen' },
}

const polish: LanguageWords = {
  language: 'Polish',
  isSpaced: true,
  isAccented: true,
  pay: `
    zapłać, zapłać teraz, płacę, opłać, kup, kup teraz, kupuję, kupuję i płacę, zamów, zamawiam, zamówienie z obowiązkiem zapłaty, złóż zamówienie,
    potwierdź zamówienie, potwierdź zakup, do kasy, przejdź do kasy, zarezerwuj, rezerwuj, subskrybuj, wesprzyj, przelej, wyślij przelew,
    wykonaj przelew, doładuj, wpłać, wypłać, licytuj, przedłuż, odnów`,
  delete: `
    usuń, usunąć, skasuj, wyczyść, opróżnij, zniszcz, odrzuć zmiany, dezaktywuj, anuluj zamówienie, anuluj subskrypcję, anuluj rezerwację, zamknij konto,
    zrezygnuj, wypisz, odinstaluj, cofnij dostęp, zarchiwizuj, archiwizuj, zablokuj, zbanuj, nieodwracalnie, trwale`,
  submit: `
    wyślij, opublikuj, publikuj, prześlij, zarejestruj, zarejestruj się, załóż konto, utwórz konto, autoryzuj, zatwierdź, podpisz, zaproś, odpowiedz,
    potwierdź, aplikuj, złóż wniosek, zgłoś, skomentuj, przyjmij ofertę, zaakceptuj ofertę, odrzuć ofertę, zagłosuj, nadaj`,
  download: 'pobierz, eksportuj, zapisz jako',
  confirm: 'tak, kontynuuj, potwierdź, akceptuję, zgadzam się, zgoda, zatwierdź',
  not: { delete: 'usuń filtr, usuń filtry, wyczyść filtry', submit: 'potwierdź hasło' },
}

const indonesian: LanguageWords = {
  language: 'Indonesian',
  isSpaced: true,
  isAccented: true,
  pay: `
    bayar, bayar sekarang, beli, beli sekarang, pesan sekarang, buat pesanan, konfirmasi pesanan, konfirmasi pembayaran, lanjut bayar, langganan sekarang,
    berlangganan, donasi, transfer, kirim uang, isi ulang, isi saldo, tarik dana, sewa sekarang, perpanjang`,
  delete: `
    hapus, hapus akun, buang, kosongkan, batalkan pesanan, batalkan langganan, tutup akun, nonaktifkan, berhenti berlangganan, cabut akses, arsipkan,
    blokir, keluarkan, padam`,
  submit: `
    kirim, terbitkan, publikasikan, posting, daftar, daftar sekarang, buat akun, izinkan akses, setujui, tanda tangani, undang, balas, konfirmasi,
    lamar, ajukan, komentari, terima tawaran, tolak, hantar`,
  download: 'unduh, ekspor, muat turun, simpan sebagai',
  confirm: 'ya, lanjut, lanjutkan, setuju, saya setuju, konfirmasi, baik, oke',
  not: { delete: 'hapus filter' },
}

const vietnamese: LanguageWords = {
  language: 'Vietnamese',
  isSpaced: true,
  isAccented: true,
  pay: `
    thanh toán, mua ngay, mua hàng, đặt hàng, đặt mua, đặt ngay, đặt vé, đặt phòng, xác nhận đơn hàng, chuyển tiền, chuyển khoản, nạp tiền, rút tiền,
    quyên góp, ủng hộ ngay, đăng ký gói, gia hạn, trả tiền`,
  delete: `xóa, xoá, gỡ bỏ, loại bỏ, hủy đơn, hủy đơn hàng, hủy đăng ký, huỷ đơn hàng, đóng tài khoản, vô hiệu hóa, thu hồi, chặn, gỡ cài đặt, lưu trữ`,
  submit: `gửi, đăng bài, đăng ký, đăng tin, xuất bản, nộp, tạo tài khoản, cấp quyền, phê duyệt, ký tên, mời, trả lời, xác nhận, ứng tuyển, bình luận, từ chối`,
  download: 'tải xuống, tải về, xuất file',
  confirm: 'có, đồng ý, tiếp tục, xác nhận, chấp nhận',
  not: { delete: 'xóa bộ lọc' },
}

const nordic: LanguageWords = {
  language: 'Swedish, Danish and Norwegian',
  isSpaced: true,
  isAccented: true,
  pay: `
    betala, betala nu, betal, betal nu, köp, köp nu, köpa, køb, køb nu, kjøp, kjøp nu, beställ, beställ nu, bestil, bestil nu, bestill, bestill nu,
    slutför köp, gennemfør køb, fullfør kjøp, til kassen, till kassan, gå til betaling, boka, boka nu, prenumerera, abonnera, abonner, doner, donera,
    skänk, överför, overfør, send penge, skicka pengar, lägg bud`,
  delete: `
    ta bort, radera, slett, slet, fjern, töm, tøm, avbryt beställning, annuller, annullera, avsluta prenumeration, säg upp, opsig, si opp, avsluta konto,
    luk konto, lukk konto, avinstallera, återkalla, arkivera, arkiver, blockera, bloker`,
  submit: `
    skicka, skicka in, send inn, indsend, publicera, publiser, offentliggør, registrera, registrer, tilmeld, skapa konto, opret konto, opprett konto, godkänn,
    godkend, godkjenn, signera, underskriv, bjud in, inviter, svara, svar, bekräfta, bekræft, bekreft, ansök, ansøg, søk nå`,
  download: 'ladda ner, hent ned, last ned, exportera, eksporter',
  confirm: 'ja, fortsätt, fortsæt, fortsett, bekräfta, bekræft, bekreft, godkänn',
}

export const latinLanguages: readonly LanguageWords[] = [
  english,
  spanish,
  french,
  german,
  portuguese,
  italian,
  turkish,
  dutch,
  polish,
  indonesian,
  vietnamese,
  nordic,
]
