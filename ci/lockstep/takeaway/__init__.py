"""What a reader takes away: the site as one folder without a server, as a book, as PDFs. All are made of a built site."""
