console.log(['日本語', 'é', 'c', 'd', 'e', 'f', 'g']);
